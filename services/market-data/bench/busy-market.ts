import { decimalChunk } from '../src/lake/encoding/decimal-chunk.ts'
import type { TradeChunk } from '../src/lake/encoding/trade-chunk.ts'
import { dayStart } from '../src/nanoseconds.ts'
import { bestPricesAt } from '../src/simulator/book-at.ts'
import { MARKETS, type Market } from '../src/simulator/markets.ts'
import { createRandom } from '../src/simulator/random.ts'
import { drawTrades, type SimulatedTrade, tradesBetween } from '../src/simulator/records-between.ts'
import type { TradeRecord } from '../src/store/record.ts'

export const FIRST_DAY = 18_000
export const LAKE_INSTRUMENT = 1
export const TABLE_INSTRUMENT = 2
export const SEED = 'bench'
/** A trade in every second and bursts of up to this many: a million a day, as a large instrument has. */
export const TRADES_PER_SECOND_MAX = 74
export const SECONDS_PER_DAY = 86_400
const SECONDS_PER_SLICE = 3_600
const NS_PER_SECOND = 1_000_000_000
const [BUY, SELL, VENUE] = ['b', 's', 'v'].map((letter) => letter.charCodeAt(0))

function busyMarket(instrumentId: number): Market {
  const market = MARKETS.find((one) => one.instrumentId === instrumentId)
  if (market === undefined) throw new Error(`there is no market ${instrumentId}`)
  return { ...market, tradeShare: 1, tradesPerSecondMax: TRADES_PER_SECOND_MAX }
}

/** The trades of a day as records, an hour at a time. */
export function* tradeSlices(instrumentId: number, day: number): Generator<TradeRecord[]> {
  const random = createRandom(SEED)
  for (let from = 0; from < SECONDS_PER_DAY; from += SECONDS_PER_SLICE) {
    const previous = day * SECONDS_PER_DAY + from - 1
    yield tradesBetween(random, busyMarket(instrumentId), { previous, latest: previous + SECONDS_PER_SLICE, step: 1 })
  }
}

/** The same trades by column: a billion of them would take hours as records. */
export function tradeChunkOfDay(instrumentId: number, day: number): TradeChunk {
  const random = createRandom(SEED)
  const market = busyMarket(instrumentId)
  const seconds: SimulatedTrade[][] = []
  let rows = 0
  for (let at = 0; at < SECONDS_PER_DAY; at += 1) {
    const drawn = drawTrades(random, market, day * SECONDS_PER_DAY + at)
    seconds.push(drawn)
    rows += drawn.length
  }
  const columns = emptyColumns(rows)
  const start = dayStart(day)
  let row = 0
  for (const [at, drawn] of seconds.entries()) {
    const best = bestUnits(random, market, day * SECONDS_PER_DAY + at)
    for (const trade of drawn) {
      const atNs = at * NS_PER_SECOND + trade.atNs
      columns.times[row] = atNs
      columns.receiveTimes[row] = start + BigInt(atNs + trade.latencyNs)
      columns.sides[row] = (trade.isBuy ? BUY : SELL) ?? 0
      columns.prices.mantissas[row] = trade.isBuy ? best.ask : best.bid
      columns.prices.scales[row] = trade.isBuy ? best.askScale : best.bidScale
      putSize(columns.sizes, row, { units: trade.sizeUnits, decimals: market.sizeDecimals })
      columns.sourceIds[row] = BigInt(trade.id)
      row += 1
    }
  }
  return columns
}

function emptyColumns(rows: number) {
  return {
    rows,
    times: new Float64Array(rows),
    receiveTimes: new BigInt64Array(rows),
    flags: new Int32Array(rows),
    sides: new Uint8Array(rows),
    sideSources: new Uint8Array(rows).fill(VENUE ?? 0),
    hasTradeIds: new Uint8Array(rows).fill(1),
    prices: { mantissas: new Float64Array(rows), scales: new Uint8Array(rows) },
    sizes: { mantissas: new Float64Array(rows), scales: new Uint8Array(rows) },
    sourceIds: new BigInt64Array(rows),
    conditions: null,
  }
}

function bestUnits(random: ReturnType<typeof createRandom>, market: Market, second: number) {
  const { bid, ask } = bestPricesAt(random, market, second)
  const chunk = decimalChunk([bid, ask], (text) => text)
  if (Array.isArray(chunk)) throw new Error('a simulated price has too many digits')
  const [bidUnits = 0, askUnits = 0] = chunk.mantissas
  const [bidScale = 0, askScale = 0] = chunk.scales
  return { bid: bidUnits, ask: askUnits, bidScale, askScale }
}

type Sizes = ReturnType<typeof emptyColumns>['sizes']

/** Without trailing zeros, as the canonical text has none. */
function putSize({ mantissas, scales }: Sizes, row: number, size: { units: number; decimals: number }): void {
  let { units, decimals } = size
  while (decimals > 0 && units % 10 === 0) {
    units /= 10
    decimals -= 1
  }
  mantissas[row] = units
  scales[row] = decimals
}
