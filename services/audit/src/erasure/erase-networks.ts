import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { dayOf } from '../rollups/ensure-days.ts'
import { nextDay } from '../rollups/partition-queries.ts'
import type { Tables } from '../tables.ts'
import type { PendingErasure } from './erasure-queries.ts'
import {
  blankNetworks,
  type ErasurePass,
  findBatchEnd,
  findNextDay,
  findPass,
  inIndexOrder,
  insertPass,
  markDayErased,
  markPassFinished,
  type NetworkBatch,
  type NetworkTable,
  type PassOf,
  type Place,
} from './network-erasure-queries.ts'

const DAY_MS = 86_400_000
/** Before the first request. */
const FIRST_DAY = '1970-01-01'
/** Events about a deleted account can arrive this much later. */
const COMPLETE_AFTER_MS = DAY_MS

type OfTable = { account: PendingErasure; table: NetworkTable; batchRows: number }

/** Time after which no more rows of a deleted account are expected, in ms since 1970. */
export function completeAtMs({ deleted_at }: PendingErasure): number {
  return deleted_at.getTime() + COMPLETE_AFTER_MS
}

/**
 * Erases the client networks of a deleted account in a table: in all of its days at first, and once more when no rows are
 * expected any more; in between only in days since shortly before the deletion. Idempotent: a pass that was interrupted
 * continues after the last day that it completed. Returns whether the last pass has finished.
 */
export async function eraseNetworks(deps: Pick<Deps, 'db' | 'now'>, of: OfTable): Promise<boolean> {
  const { db, now } = deps
  const { account, table } = of
  const passOf = { table, accountId: account.account_id }
  const pass = await currentPass(deps, account, passOf)
  const isFinished = pass.finishedAt !== null
  for (let from = isFinished ? dayOf(account.deleted_at.getTime() - DAY_MS) : firstDayOf(pass); ;) {
    const day = await inIndexOrder(db, (trx) => findNextDay(trx, { ...passOf, from }))
    if (day === undefined) break
    await eraseDay(db, of, day)
    if (!isFinished) await markDayErased(db, passOf, day)
    from = nextDay(day)
  }
  if (!isFinished) await markPassFinished(db, passOf, now())
  return pass.startedAt.getTime() >= completeAtMs(account)
}

/** A new one, unless there is one that has not finished, or that began when no more rows were expected. */
async function currentPass(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  account: PendingErasure,
  passOf: PassOf,
): Promise<ErasurePass> {
  const pass = await findPass(db, passOf)
  const isLastDue = now().getTime() >= completeAtMs(account)
  const isLast = pass !== undefined && pass.startedAt.getTime() >= completeAtMs(account)
  if (pass === undefined || (pass.finishedAt !== null && isLastDue && !isLast)) return insertPass(db, passOf, now())
  return pass
}

function firstDayOf({ throughDay }: ErasurePass): string {
  return throughDay === null ? FIRST_DAY : nextDay(throughDay)
}

/** A transaction for each batch of rows, so that none takes long, however many rows the account has. */
async function eraseDay(db: Deps['db'], { account, table, batchRows }: OfTable, day: string): Promise<void> {
  const rows = { table, accountId: account.account_id, day }
  for (let after: Place | undefined; ;) {
    const batch = after === undefined ? rows : { ...rows, after }
    after = await inIndexOrder(db, (trx) => eraseBatch(trx, batch, batchRows))
    if (after === undefined) return
  }
}

/** Returns the place of its last row; undefined: there are no more. */
async function eraseBatch(
  trx: Transaction<Tables>,
  batch: NetworkBatch,
  batchRows: number,
): Promise<Place | undefined> {
  const through = await findBatchEnd(trx, batch, batchRows)
  await blankNetworks(trx, through === undefined ? batch : { ...batch, through })
  return through
}
