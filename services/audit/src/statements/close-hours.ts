import type { StatementRow } from '@tapeline/contracts/audit/statements'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { floorTo, LEVEL_MS, type ServedRequest } from '../rollups/roll-up.ts'
import {
  type Correction,
  findClosing,
  findFirstHour,
  findSettled,
  lockClosing,
  insertClosedHour,
  insertCorrections,
  listAccountsOfHour,
  listLeafRowsOf,
  raiseClosedUntil,
  raiseSealedUntil,
  type Settled,
} from './closing-queries.ts'
import type { Tables } from '../tables.ts'
import { hashRow, merkleRoot } from './merkle-tree.ts'
import { lineOf, readLoggedLeaves } from './read-leaves.ts'

/** An hour whose rows agree with the limiter closes this long after its end. */
const GRACE_MS = 15 * LEVEL_MS.minute
/** Other jobs of the service wait for a run; rows of before the first closing are many hours. */
const HOURS_PER_RUN = 24
/** An hour closes after this time even when rows are still missing: Redis no longer has its count. */
const LATEST_MS = 47 * LEVEL_MS.hour

/**
 * Job. Closes the hours that are settled: first no row can join them any more, then their rows are summed and hashed.
 * What arrives later is a correction. Idempotent, and may end at any point.
 */
export async function closeHours({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> {
  const settled = await findSettled(db)
  const first = (await findClosing(db))?.sealed_until ?? (await findFirstHour(db))
  if (settled === undefined || first === undefined) return 0
  const until = new Date(Math.max(closableUntil(settled, now().getTime()), first.getTime()))
  await db.transaction().execute((trx) => raiseClosedUntil(trx, first, until))
  const closing = await findClosing(db)
  if (closing === undefined) return 0
  let hours = 0
  const toMs = Math.min(closing.closed_until.getTime(), closing.sealed_until.getTime() + HOURS_PER_RUN * LEVEL_MS.hour)
  for (let atMs = closing.sealed_until.getTime(); atMs < toMs; atMs += LEVEL_MS.hour) {
    await sealHour({ db, now }, new Date(atMs))
    await raiseSealedUntil(db, new Date(atMs + LEVEL_MS.hour))
    hours += 1
  }
  return hours
}

function closableUntil({ checked_until, open_since }: Settled, nowMs: number): number {
  const agreedMs = Math.min(checked_until?.getTime() ?? 0, open_since?.getTime() ?? nowMs, nowMs - GRACE_MS)
  return floorTo('hour', Math.max(agreedMs, nowMs - LATEST_MS))
}

async function sealHour({ db, now }: Pick<Deps, 'db' | 'now'>, hourAt: Date): Promise<void> {
  for (const accountId of await listAccountsOfHour(db, hourAt)) {
    const { hashes, lines } = await readLoggedLeaves(db, { accountId, hourAt, kind: 'hour' })
    if (hashes.length === 0) continue
    const hour = { accountId, hourAt, requests: hashes.length, root: merkleRoot(hashes), lines, closedAt: now() }
    await insertClosedHour(db, hour)
  }
}

/**
 * Notes which new rows belong to an hour that is closed already: they are corrections, and the closed hour stays as it
 * is. No hour closes before the transaction ends, so a row is in its closed hour or in a correction, and never in both.
 */
export async function recordCorrections(
  trx: Transaction<Tables>,
  added: readonly ServedRequest[],
  at: Date,
): Promise<void> {
  const closedUntil = await lockClosing(trx)
  if (closedUntil === undefined) return
  const late = added.filter(({ timeMs }) => timeMs < closedUntil.getTime())
  if (late.length === 0) return
  const timesMs = late.map(({ timeMs }) => timeMs)
  // A time may have microseconds.
  const [from, to] = [new Date(Math.min(...timesMs)), new Date(Math.max(...timesMs) + 1)]
  const ids = late.map(({ id }) => id)
  await insertCorrections(trx, (await listLeafRowsOf(trx, ids, from, to)).map(correctionOf), at)
}

function correctionOf(row: StatementRow): Correction {
  const hourAt = new Date(floorTo('hour', Date.parse(row.time)))
  return { id: row.id, accountId: row.account_id, hourAt, time: row.time, leaf: hashRow(row), line: lineOf(row) }
}
