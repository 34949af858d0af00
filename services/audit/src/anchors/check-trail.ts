import type { TrailCheck } from '@tapeline/contracts/audit/trail-check'
import type { StartInBackground } from '../background.ts'
import type { Deps } from '../deps.ts'
import { beginCheck, finishCheck, findCheck } from './check-queries.ts'
import { verifyAnchoredTrail } from './verify-anchored-trail.ts'

type CheckDeps = Pick<Deps, 'db' | 'now' | 'store' | 'signer'>

/** A check that has not ended after this time was interrupted with its process. */
const RUNNING_MS = 3_600_000

/** The latest verification of the whole trail. */
export async function showCheck({ db, store, now }: CheckDeps): Promise<TrailCheck> {
  const row = await findCheck(db)
  const hasStore = store !== undefined
  if (row === undefined)
    return { state: 'never', started_at: null, finished_at: null, verdict: null, has_store: hasStore }
  const isRunning = row.finished_at === null && now().getTime() - row.started_at.getTime() < RUNNING_MS
  return {
    state: isRunning ? 'running' : row.finished_at === null ? 'never' : 'done',
    started_at: row.started_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    verdict: row.verdict as TrailCheck['verdict'],
    has_store: hasStore,
  }
}

/** Starts a verification unless one runs; it continues after the answer. */
export async function startCheck(
  deps: CheckDeps,
  start: StartInBackground,
  onError: (err: unknown) => void,
): Promise<TrailCheck> {
  const before = await showCheck(deps)
  if (before.state !== 'running') start((db) => checkTrail({ ...deps, db }), onError)
  return { ...before, state: 'running' }
}

/** Job. Verifies the whole trail and stores the verdict for the page. */
export async function checkTrail({ db, now, store, signer }: CheckDeps): Promise<void> {
  await beginCheck(db, now())
  const verdict = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((trx) => verifyAnchoredTrail({ db: trx, store, publicKeys: signer.publicKeys, startedAt: now() }))
  await finishCheck(db, now(), verdict)
}
