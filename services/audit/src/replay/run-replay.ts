import type { Logger } from '@tapeline/service/logger'
import type { ReadSubscription } from '../custom-reports/make-due-reports.ts'
import type { Deps } from '../deps.ts'
import type { ArchiveDeps } from '../request-log/archive/archived-log.ts'
import { inDecisionOrder, recordedRequest, type RecordedRequest } from './recorded-request.ts'
import { AccountReplay, MEMORY_MS, type Replayed } from './replay-account.ts'
import { listReplayedAccounts, readRecordedRows } from './read-recorded-rows.ts'
import { claimReplay, type ReplayRow, type RowPlace, updateReplay } from './replay-queries.ts'
import { ReplaySums } from './sum-replay.ts'

export type ReplayDeps = Pick<Deps, 'db' | 'now' | 'newId'> & ArchiveDeps & { readSubscription: ReadSubscription }

const PAGE_ROWS = 5_000
/** Twice the longest time between two heartbeats, a page of rows. */
const STALE_MS = 120_000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** Job. Runs queued replays one after the other, also those whose process ended; a replay is safe to run again. */
export async function runReplays(deps: ReplayDeps, logger?: Pick<Logger, 'error'>): Promise<number> {
  for (let total = 0; ; total += 1) {
    const now = deps.now()
    const replay = await claimReplay(deps.db, now, new Date(now.getTime() - STALE_MS))
    if (replay === undefined) return total
    try {
      const result = await runReplay(deps, replay)
      await updateReplay(deps.db, replay.id, deps.now(), { state: 'done', progress: 1, result: JSON.stringify(result) })
    } catch (err) {
      // Throws in a process that stops: the state stays `running`, and the job resumes the replay.
      await updateReplay(deps.db, replay.id, deps.now(), { state: 'failed' })
      logger?.error({ err, replayId: replay.id }, 'limits replay: failed; its state is now failed')
    }
  }
}

async function runReplay(deps: ReplayDeps, replay: ReplayRow) {
  const sums = new ReplaySums()
  const accounts = await listReplayedAccounts(deps, replay, () => updateReplay(deps.db, replay.id, deps.now(), {}))
  for (const [n, accountId] of accounts.entries()) {
    const { rate_limits: own } = await deps.readSubscription(accountId)
    if (own !== null) sums.countOwnLimits()
    const rateLimits = own === null ? replay.rate_limits : {}
    await replayAccount(deps, { ...replay, rate_limits: rateLimits }, accountId, sums.ofAccount(accountId))
    await updateReplay(deps.db, replay.id, deps.now(), { progress: (n + 1) / accounts.length })
  }
  return sums.result()
}

type Decided = (request: RecordedRequest, again: Replayed) => void

/** Reads from one window before the period, so that the counters are complete when it begins. */
export async function replayAccount(
  { db, now, store }: Pick<ReplayDeps, 'db' | 'now' | 'store'>,
  { id, tier, rate_limits: rateLimits, from_at: from, to_at: to }: ReplayRow,
  accountId: string,
  onDecided: Decided,
): Promise<void> {
  const account = new AccountReplay({ tier, rateLimits, fromMs: from.getTime() })
  let after: RowPlace = { at: new Date(from.getTime() - MEMORY_MS).toISOString(), id: FIRST_ID }
  let waiting: RecordedRequest[] = []
  const decide = (requests: readonly RecordedRequest[]) => {
    for (const request of requests) {
      const again = account.decide(request)
      if (request.timeMs >= from.getTime() && request.tier === tier) onDecided(request, again)
    }
  }
  for (;;) {
    const rows = await readRecordedRows({ db, store }, { accountId, to }, after, PAGE_ROWS)
    const read = rows.flatMap((row) => recordedRequest(row) ?? [])
    const ordered = [...waiting, ...read].toSorted(inDecisionOrder)
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE_ROWS) return decide(ordered)
    // The last millisecond may continue on the next page.
    const lastMs = Number(last.time_ms)
    decide(ordered.filter(({ timeMs }) => timeMs < lastMs))
    waiting = ordered.filter(({ timeMs }) => timeMs >= lastMs)
    after = { at: last.at, id: last.id }
    await updateReplay(db, id, now(), {})
  }
}
