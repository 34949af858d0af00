import type { Deps } from '../src/deps.ts'
import { tradeChunk } from '../src/lake/encoding/trade-chunk.ts'
import { type SealedDayRecords, writeSealedDay } from '../src/lake/sealing/write-sealed-day.ts'
import { splitByDay } from '../src/importers/split-by-day.ts'
import { dayStart } from '../src/nanoseconds.ts'
import { MARKETS, type Market } from '../src/simulator/markets.ts'
import { createRandom } from '../src/simulator/random.ts'
import { tradesBetween } from '../src/simulator/records-between.ts'
import type { TradeRecord } from '../src/store/record.ts'
import { storeAtOnce } from '../src/store/store-records.ts'

export const FIRST_DAY = 18_000
export const LAKE_INSTRUMENT = 1
export const TABLE_INSTRUMENT = 2
const SECONDS_PER_DAY = 86_400
const BATCH_ROWS = 20_000

/** A trade in every second: some 120,000 a day. */
function busyMarket(instrumentId: number): Market {
  const market = MARKETS.find((one) => one.instrumentId === instrumentId)
  if (market === undefined) throw new Error(`there is no market ${instrumentId}`)
  return { ...market, tradeShare: 1 }
}

export function tradesOfDay(instrumentId: number, day: number): TradeRecord[] {
  const second = Number(dayStart(day) / 1_000_000_000n)
  const range = { previous: second - 1, latest: second + SECONDS_PER_DAY - 2, step: 1 }
  return splitByDay(tradesBetween(createRandom('bench'), busyMarket(instrumentId), range)).get(day) ?? []
}

export type Filled = { rows: number; days: number; bytes: number; seconds: number }
export const NOTHING_FILLED: Filled = { rows: 0, days: 0, bytes: 0, seconds: 0 }

/** Whole days straight into the lake, until there are so many rows; one is written while the next one is drawn. */
export async function fillLake(deps: Deps, before: Filled, rowsWanted: number): Promise<Filled> {
  const startedMs = performance.now()
  let { rows, days } = before
  let writing: Promise<void> = Promise.resolve()
  while (rows < rowsWanted) {
    const day = FIRST_DAY + days
    const trades = tradesOfDay(LAKE_INSTRUMENT, day)
    const records = { channel: 'trade', chunks: [tradeChunk(trades, day)] } as const
    await writing
    writing = writeDay(deps, { instrumentId: LAKE_INSTRUMENT, day, records }, trades.length)
    writing.catch(() => {})
    rows += trades.length
    days += 1
  }
  await writing
  const objects = await deps.lake.store.list('v1/')
  const bytes = objects.reduce((sum, { size }) => sum + size, 0)
  return { rows, days, bytes, seconds: before.seconds + (performance.now() - startedMs) / 1_000 }
}

async function writeDay(deps: Deps, given: SealedDayRecords, rows: number): Promise<void> {
  const written = await writeSealedDay(deps, given)
  if (written.outcome !== 'written' || written.added !== rows) throw new Error(`day ${given.day} was not written`)
}

/** Whole days of another instrument into PostgreSQL. */
export async function fillTable(deps: Deps, days: number): Promise<Omit<Filled, 'bytes'>> {
  const startedMs = performance.now()
  let rows = 0
  for (let day = FIRST_DAY; day < FIRST_DAY + days; day += 1) {
    const trades = tradesOfDay(TABLE_INSTRUMENT, day)
    for (let from = 0; from < trades.length; from += BATCH_ROWS) {
      const batch = { instrumentId: TABLE_INSTRUMENT, trades: trades.slice(from, from + BATCH_ROWS), l2Events: [] }
      rows += (await storeAtOnce(deps.pool, [batch])).trades
    }
  }
  return { rows, days, seconds: (performance.now() - startedMs) / 1_000 }
}
