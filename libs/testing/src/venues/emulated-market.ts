import { seededRandom } from '../seeded-random.ts'

/** Price and size; a size of 0 removes the price. */
export type EmulatedLevel = [price: string, size: string]
export type EmulatedTrade = { id: number; timeMs: number; price: string; size: string; isBuyerMaker: boolean }
export type EmulatedChange = {
  firstId: number
  lastId: number
  timeMs: number
  bids: EmulatedLevel[]
  asks: EmulatedLevel[]
}

/** One instrument of an emulated venue: its events, and the resulting book. */
export type EmulatedMarket = {
  /** The next change of the book; ids are ranges, as venues that merge changes have. */
  change: () => EmulatedChange
  trade: () => EmulatedTrade
  book: () => { lastId: number; bids: EmulatedLevel[]; asks: EmulatedLevel[] }
  trades: EmulatedTrade[]
  changes: EmulatedChange[]
  /** Moves the venue's clock. */
  jump: (ms: number) => void
}

export type EmulatedMarketOptions = { seed: number; startMs: number; price?: number; levels?: number }

const CHANGE_MS = 100
const IDS_MAX = 15
const LEVELS_PER_CHANGE_MAX = 6
const NOTHING_LEFT = '0.00000000'

/** Seeded: the same market in every run. */
export function createEmulatedMarket({
  seed,
  startMs,
  price = 600,
  levels = 50,
}: EmulatedMarketOptions): EmulatedMarket {
  const random = seededRandom(seed)
  const pick = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
  const size = () => (pick(1, 400_000) / 100_000).toFixed(8)
  const book = createBook(price * 100, { levels, pick, size })
  let lastId = pick(1_000_000, 2_000_000)
  let tradeId = pick(1_000_000, 2_000_000)
  let nowMs = startMs
  const trades: EmulatedTrade[] = []
  const changes: EmulatedChange[] = []
  return {
    trades,
    changes,
    jump(ms) {
      nowMs += ms
    },
    change() {
      nowMs += CHANGE_MS
      const firstId = lastId + 1
      lastId += pick(1, IDS_MAX)
      const change = { firstId, lastId, timeMs: nowMs, ...book.change() }
      changes.push(change)
      return change
    },
    trade() {
      tradeId += 1
      const isBuyerMaker = pick(0, 1) === 1
      const trade = { id: tradeId, timeMs: nowMs, price: book.priceFor(isBuyerMaker), size: size(), isBuyerMaker }
      trades.push(trade)
      return trade
    },
    book: () => ({ lastId, ...book.sorted() }),
  }
}

type Sides = { bids: EmulatedLevel[]; asks: EmulatedLevel[] }
type Generator = { levels: number; pick: (from: number, to: number) => number; size: () => string }

/** Prices in ticks of 0.01 around a mid price that moves by at most one tick. */
function createBook(startTicks: number, { levels, pick, size }: Generator) {
  const sides = { bids: new Map<number, string>(), asks: new Map<number, string>() }
  let middle = startTicks
  for (let level = 1; level <= levels; level += 1) {
    sides.bids.set(middle - level, size())
    sides.asks.set(middle + level, size())
  }

  function set(side: 'bids' | 'asks', ticks: number, newSize: string): EmulatedLevel {
    if (Number(newSize) === 0) sides[side].delete(ticks)
    else sides[side].set(ticks, newSize)
    return [priceOf(ticks), newSize]
  }

  /** Levels that the mid price passes are removed, so that the book is never crossed. */
  function move(): Sides {
    middle += pick(-1, 1)
    const passed = (side: 'bids' | 'asks', isPassed: (ticks: number) => boolean) =>
      [...sides[side].keys()].filter(isPassed).map((ticks) => set(side, ticks, NOTHING_LEFT))
    return { bids: passed('bids', (ticks) => ticks >= middle), asks: passed('asks', (ticks) => ticks <= middle) }
  }

  return {
    change(): Sides {
      const { bids, asks } = move()
      for (let count = pick(1, LEVELS_PER_CHANGE_MAX); count > 0; count -= 1) {
        const distance = pick(1, levels)
        const newSize = pick(1, 10) <= 3 ? NOTHING_LEFT : size()
        if (pick(0, 1) === 0) bids.push(set('bids', middle - distance, newSize))
        else asks.push(set('asks', middle + distance, newSize))
      }
      return { bids: lastOfEach(bids), asks: lastOfEach(asks) }
    },
    priceFor: (isBuyerMaker: boolean) => priceOf(middle + (isBuyerMaker ? -1 : 1)),
    sorted: (): Sides => ({
      bids: [...sides.bids].toSorted(([one], [other]) => other - one).map(([ticks, text]) => [priceOf(ticks), text]),
      asks: [...sides.asks].toSorted(([one], [other]) => one - other).map(([ticks, text]) => [priceOf(ticks), text]),
    }),
  }
}

function priceOf(ticks: number): string {
  return (ticks / 100).toFixed(8)
}

function lastOfEach(levels: EmulatedLevel[]): EmulatedLevel[] {
  return [...new Map(levels.map((level) => [level[0], level])).values()]
}
