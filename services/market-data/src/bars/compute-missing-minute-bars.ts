import { inTransaction } from '../lake/in-transaction.ts'
import type { Stores } from '../lake/reading/list-stored-rows.ts'
import { dayStart } from '../nanoseconds.ts'
import { findChannelState } from '../lake/sealing/seal-queries.ts'
import { hasSealedRowsAfter, lockChannel } from '../store/store-queries.ts'
import { clockOf } from './bar-spec.ts'
import { addMinuteBars, addMinutesAfter } from './minute-queries.ts'
import { createTimeBarBuilder } from './time-bar-builder.ts'
import { tradeOfRow, tradeRows } from './trade-rows.ts'
import { clearDayWithoutBars, listDaysWithoutBars, type DayWithoutBars } from './day-without-bars-queries.ts'

/** Limits the duration of one run of the job; the next run continues. */
const DAYS_PER_RUN = 50

/** Computes the one-minute bars of days whose trades were stored without them. Returns the number of days. */
export async function computeMissingMinuteBars(stores: Stores): Promise<number> {
  let storedDays = 0
  for (const day of await listDaysWithoutBars(stores.pool, DAYS_PER_RUN)) {
    if (await storeDay(stores, day)) storedDays += 1
  }
  return storedDays
}

/**
 * False if a file of the day received trades in the meantime. Trades that PostgreSQL received are added under the channel's
 * lock, so a day is completed even if trades keep arriving.
 */
async function storeDay(stores: Stores, dayWithoutBars: DayWithoutBars): Promise<boolean> {
  const { instrumentId, day } = dayWithoutBars
  const range = { start: dayStart(day), end: dayStart(day + 1) }
  const before = await findChannelState(stores.pool, instrumentId, 'trade')
  if (before === undefined) return false
  const bars = await minuteBarsOf(stores, { instrumentId, through: before.lastSequence }, range)
  return inTransaction(stores.pool, async (client) => {
    await lockChannel(client, instrumentId, 'trade')
    const stored = { instrumentId, channel: 'trade', ...range, after: before.lastSequence } as const
    if (await hasSealedRowsAfter(client, stored)) return false
    await clearDayWithoutBars(client, dayWithoutBars, range)
    await addMinuteBars(client, bars)
    await addMinutesAfter(client, stored)
    return true
  })
}

type Stored = { instrumentId: number; through: string }

async function minuteBarsOf(stores: Stores, { instrumentId, through }: Stored, range: { start: bigint; end: bigint }) {
  const builder = createTimeBarBuilder(clockOf({ by: 'time', interval: '1m', timeZone: 'UTC' }))
  const filter = { order: 'asc', time_format: 'unix_ns', start: String(range.start), end: String(range.end) } as const
  const scan = { instrumentIds: [instrumentId], filter, after: undefined, through: new Map([[instrumentId, through]]) }
  for await (const { rows } of tradeRows(stores, scan)) {
    for (const row of rows) builder.apply(tradeOfRow(row))
  }
  return builder.release(range.end).map((bar) => ({ ...bar, instrumentId }))
}
