import type { Kysely } from 'kysely'
import {
  adjustOldDrift,
  type CheckPlace,
  findProgress,
  deleteReconciled,
  listAccountsToCompare,
  listMinuteRequests,
  listRecordedCells,
  raiseCheckedUntil,
  recountAdjusted,
  saveDifferences,
  whileComparing,
} from './check-queries.ts'
import type { Deps } from '../deps.ts'
import type { LimiterCells } from './limiter.ts'
import type { Range } from '../rollups/read-plan.ts'
import { floorTo, LEVEL_MS } from '../rollups/roll-up.ts'
import type { CheckState, Tables } from '../tables.ts'

/** A gateway responds within 15 s and ships its journal within one more: after this time a minute is settled. */
const SETTLE_MS = 30_000
/** How long a missing row is pending: the journal of a killed gateway is shipped by its successor. */
const LATE_MS = 10 * LEVEL_MS.minute
/** Each minute is compared again every minute for an hour, then hourly while Redis keeps its count (48 h). */
const AGAIN_MS = LEVEL_MS.hour
const CELLS_KEPT_MS = 47 * LEVEL_MS.hour
const CLOSE_AFTER_MS = LEVEL_MS.day
const ACCOUNTS_PER_BATCH = 50
/** Short transactions: after hours of missing rows there is a record per account and minute. */
const RECOUNT_ROWS = 5_000

export type Reach = 'last hour' | 'all that Redis keeps'
export type Comparison = { accounts: number; differences: number; closed: number }
export type Difference = { accountId: string; minuteMs: number; cells: number; rows: number; state: CheckState }

/**
 * Compares the roll-ups with the limiter's own count, minute by minute, and records the minutes in which they differ
 * (docs/decisions/0005-why-drift-is-shown.md). Idempotent; without Redis nothing is compared and nothing becomes
 * final. One run at a time: beside another one, that of the last hour leaves the minutes to its next run.
 * @throws Error when a run of everything is beside another one: its job is tried again
 */
export async function reconcileUsage(
  deps: Reconciliation,
  reach: Reach,
): Promise<Comparison | 'another run compares' | undefined> {
  const outcome = await whileComparing(deps.db, () => compareAll(deps, reach))
  if (outcome === 'another run compares' && reach === 'all that Redis keeps') throw new Error(outcome)
  return outcome
}

type Reconciliation = Pick<Deps, 'db' | 'now' | 'limiter'>

async function compareAll({ db, now, limiter }: Reconciliation, reach: Reach): Promise<Comparison | undefined> {
  const progress = await findProgress(db)
  if (progress === undefined || !limiter.isReady()) return undefined
  const nowMs = now().getTime()
  const range = rangeOf(reach, nowMs, progress)
  const found: Comparison = { accounts: 0, differences: 0, closed: 0 }
  for await (const accounts of accountsToCompare({ db, limiter }, range, reach)) {
    found.accounts += accounts.length
    found.differences += await compareAccounts({ db, limiter }, accounts, { range, nowMs })
  }
  found.closed = await adjustOldDrift(db, new Date(nowMs - CLOSE_AFTER_MS))
  if (reach === 'all that Redis keeps') await recountAllAdjusted(db, new Date(range.fromMs))
  await raiseCheckedUntil(db, new Date(range.toMs))
  return found
}

async function recountAllAdjusted(db: Kysely<Tables>, before: Date): Promise<void> {
  let last: CheckPlace | undefined
  do last = await recountAdjusted(db, before, last, RECOUNT_ROWS)
  while (last !== undefined)
}

type Progress = { complete_until: Date; checked_until: Date | null }

/** From the last compared minute, or an hour ago, to the last settled minute. */
function rangeOf(reach: Reach, nowMs: number, { complete_until, checked_until }: Progress): Range {
  const toMs = floorTo('minute', Math.min(nowMs, complete_until.getTime()) - SETTLE_MS)
  const keptMs = floorTo('minute', nowMs - CELLS_KEPT_MS)
  const againMs = Math.min(checked_until?.getTime() ?? toMs, toMs - AGAIN_MS)
  return { fromMs: reach === 'last hour' ? Math.max(keptMs, againMs) : keptMs, toMs }
}

type Sides = { db: Kysely<Tables>; limiter: Deps['limiter'] }

/**
 * In batches: accounts with rows and, once an hour, also those that only the limiter has, because all their rows are
 * missing.
 */
async function* accountsToCompare({ db, limiter }: Sides, range: Range, reach: Reach): AsyncGenerator<string[]> {
  const unseen = new Set(reach === 'last hour' ? [] : await limiter.listAccounts(range))
  let after: string | undefined
  for (;;) {
    const accounts = await listAccountsToCompare(db, range, { after, limit: ACCOUNTS_PER_BATCH })
    if (accounts.length === 0) break
    for (const account of accounts) unseen.delete(account)
    yield accounts
    after = accounts.at(-1)
  }
  const remaining = [...unseen]
  for (let n = 0; n < remaining.length; n += ACCOUNTS_PER_BATCH) yield remaining.slice(n, n + ACCOUNTS_PER_BATCH)
}

async function compareAccounts(
  { db, limiter }: Sides,
  accounts: readonly string[],
  { range, nowMs }: { range: Range; nowMs: number },
): Promise<number> {
  const rows = await listMinuteRequests(db, accounts, range)
  const rowsOf = Map.groupBy(rows, ({ account_id }) => account_id)
  const sides = await Promise.all(
    accounts.map(async (accountId) => {
      const own = new Map((rowsOf.get(accountId) ?? []).map((row) => [row.bucket_at.getTime(), Number(row.requests)]))
      return { accountId, rows: own, cells: await limiter.readCells(accountId, range) }
    }),
  )
  return db.transaction().execute(async (trx) => {
    const recorded = Map.groupBy(await listRecordedCells(trx, accounts, range), ({ account_id }) => account_id)
    const differences = sides.flatMap((side) => {
      const own = (recorded.get(side.accountId) ?? []).map(
        (row) => [row.minute_at.getTime(), Number(row.cells)] as const,
      )
      return differencesOf({ ...side, recorded: new Map(own), range, nowMs })
    })
    await deleteReconciled(trx, accounts, range, differences)
    await saveDifferences(trx, differences, new Date(nowMs))
    return differences.length
  })
}

type Counted = {
  accountId: string
  rows: Map<number, number>
  cells: LimiterCells
  /** Cells of the minutes that differed when Redis still had their count. */
  recorded: Map<number, number>
  range: Range
  nowMs: number
}

function differencesOf({ accountId, rows, cells, recorded, range, nowMs }: Counted): Difference[] {
  const differences: Difference[] = []
  for (const minuteMs of new Set([...rows.keys(), ...cells.requests.keys(), ...recorded.keys()])) {
    if (minuteMs < range.fromMs || minuteMs >= range.toMs) continue
    const count = countOf(minuteMs, cells, recorded)
    const one = { accountId, minuteMs, cells: count.cells, rows: rows.get(minuteMs) ?? 0 }
    if (one.cells !== one.rows) differences.push({ ...one, state: stateOf(one, count, nowMs) })
  }
  return differences
}

type MinuteCount = { cells: number; isComplete: boolean }

/** A minute that Redis has lost keeps the cells that were recorded before. */
function countOf(
  minuteMs: number,
  { countedSinceMs, requests }: LimiterCells,
  recorded: Counted['recorded'],
): MinuteCount {
  const cells = requests.get(minuteMs)
  if (countedSinceMs !== undefined && minuteMs >= countedSinceMs) return { cells: cells ?? 0, isComplete: true }
  const kept = recorded.get(minuteMs)
  if (cells === undefined && kept !== undefined) return { cells: kept, isComplete: true }
  return { cells: cells ?? 0, isComplete: false }
}

/**
 * If Redis did not count the whole minute, fewer requests in Redis than rows are expected; more always mean missing
 * rows.
 */
function stateOf(
  { minuteMs, cells, rows }: Omit<Difference, 'state'>,
  { isComplete }: MinuteCount,
  nowMs: number,
): CheckState {
  if (rows > cells && !isComplete) return 'unverified'
  return nowMs - minuteMs < LATE_MS + LEVEL_MS.minute ? 'pending' : 'drift'
}
