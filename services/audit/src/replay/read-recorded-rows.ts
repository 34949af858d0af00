import {
  type ArchiveDeps,
  comparePlaces,
  orUnavailable,
  readArchived,
  requireStore,
  timeOf,
  timeUsOf,
} from '../request-log/archive/archived-log.ts'
import { US_PER_MS } from '../request-log/archive/archive-columns.ts'
import { listArchiveFiles } from '../request-log/archive/archive-queries.ts'
import type { ArchivedRequest } from '../request-log/archive/archived-request.ts'
import { readRowGroup, readRowGroups } from '../request-log/archive/read-archive.ts'
import { listAccountsOfTier, listUsageRows, type ReadRow, type ReplayRow, type RowPlace } from './replay-queries.ts'

const TIER_COLUMNS = ['account_id', 'tier', 'time']

/**
 * A page of an account's requests in order of time, from the log and from archived days; `after` is the last row of the page before.
 * @throws AppError `service.unavailable` when an archived day cannot be read
 */
export async function readRecordedRows(
  deps: ArchiveDeps,
  { accountId, to }: { accountId: string; to: Date },
  after: RowPlace,
  limit: number,
): Promise<ReadRow[]> {
  const logged = await listUsageRows(deps.db, { accountId, to }, after, limit)
  const archived: ReadRow[] = []
  const from = new Date(Math.floor(timeUsOf(after.at) / US_PER_MS))
  const range = { accountId, from, to, after: { time: after.at, id: after.id }, order: 'oldest first' as const }
  for await (const requests of readArchived(deps, range)) {
    for (const request of requests) archived.push(rowOf(request))
    if (archived.length >= limit) break
  }
  if (archived.length === 0) return logged
  const byId = new Map([...archived, ...logged].map((row) => [row.id, row]))
  return [...byId.values()].toSorted(inOrder).slice(0, limit)
}

function rowOf({ id, timeUs, request_id, key_id, tier, latency_us, decision }: ArchivedRequest): ReadRow {
  const timeMs = Math.floor(timeUs / US_PER_MS)
  return { id, at: timeOf(timeUs), time_ms: timeMs, request_id, key_id, tier, latency_us, decision }
}

function inOrder(a: ReadRow, b: ReadRow): number {
  return comparePlaces({ time: a.at, id: a.id }, { time: b.at, id: b.id })
}

/** Accounts with requests of the tier in the period, in the log or in archived days. `onFile`: before each file that is read. */
export async function listReplayedAccounts(
  deps: ArchiveDeps,
  replay: ReplayRow,
  onFile: () => Promise<void>,
): Promise<string[]> {
  const accounts = new Set(await listAccountsOfTier(deps.db, replay))
  const [fromMs, toMs] = [replay.from_at.getTime(), replay.to_at.getTime()]
  for (const file of await listArchiveFiles(deps.db, { from: replay.from_at, to: replay.to_at })) {
    await onFile()
    const store = requireStore(deps.store, file)
    for (const group of await orUnavailable(file, readRowGroups(store, file))) {
      if (group.lastMs < fromMs || group.firstMs >= toMs) continue
      const rows = await orUnavailable(file, readRowGroup(store, file, group, TIER_COLUMNS))
      for (const { account_id, tier, time } of rows) {
        if (tier === replay.tier && Number(time) >= fromMs && Number(time) < toMs) accounts.add(account_id as string)
      }
    }
  }
  return [...accounts].toSorted()
}
