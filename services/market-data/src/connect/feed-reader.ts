import type { InstrumentSpec } from '../instruments/instrument.ts'
import type { L2Record, TradeGap, TradeRecord } from '../store/record.ts'
import { type BookMachine, type BookPhase, type BookStep, createBookMachine } from './book/book-machine.ts'
import { createTradeChain, type TradeChain } from './book/trade-chain.ts'
import type { Feed, FeedMessage, Hole } from './feeds/feed.ts'

/** Records to publish and actions to perform for one instrument. */
export type InstrumentOutput = {
  instrument: InstrumentSpec
  trades: TradeRecord[]
  l2Events: L2Record[]
  tradeGaps: TradeGap[]
  wants: BookStep['wants']
  missing: Hole[]
}

export type InstrumentState = {
  symbol: string
  book: BookPhase
  gaps: number
  missing_trades: number
}

export type Market = { instrument: InstrumentSpec; book: BookMachine; trades: TradeChain }

/**
 * Turns the frames of one feed into records and requested actions. It has no clock and no I/O, so live feeds, replays
 * and benchmarks share it.
 */
export type FeedReader = {
  markets: ReadonlyMap<string, Market>
  /** Throws an Error that describes what is wrong with the frame. */
  frame: (text: string, tsRecv: string) => InstrumentOutput[]
  /** Requested trades, or other messages that are already parsed. */
  messages: (messages: readonly FeedMessage[]) => InstrumentOutput[]
  /** One step of a market's book. */
  step: (market: Market, step: BookStep) => InstrumentOutput
  /** Expects trades that an earlier process did not receive. */
  reopen: (market: Market, holes: readonly Hole[]) => InstrumentOutput
  /** Gives up trades that the venue no longer provides. */
  lose: (market: Market, tradeGaps: TradeGap[]) => InstrumentOutput
  errors: () => string[]
  states: () => InstrumentState[]
}

type Options = { feed: Feed; instruments: readonly InstrumentSpec[]; flags?: number }

export function createFeedReader({ feed, instruments, flags = 0 }: Options): FeedReader {
  const markets = new Map<string, Market>(
    instruments.map((instrument) => [
      instrument.venueSymbol,
      { instrument, book: createBookMachine({ rule: feed.bookRule, flags }), trades: createTradeChain() },
    ]),
  )
  let errors: string[] = []

  function take(message: FeedMessage): InstrumentOutput | undefined {
    if (message.kind === 'error') errors.push(message.message)
    if (message.kind === 'error' || message.kind === 'other') return undefined
    const market = markets.get(message.venueSymbol)
    if (market === undefined) return undefined
    switch (message.kind) {
      case 'trades':
        return { ...NOTHING, instrument: market.instrument, ...market.trades.take(message.trades) }
      case 'snapshot':
        return outputOf(market, market.book.snapshot(message.snapshot))
      case 'update':
        return outputOf(market, market.book.update(message.update))
    }
  }

  const messages = (list: readonly FeedMessage[]): InstrumentOutput[] =>
    list.map(take).filter((output) => output !== undefined)

  return {
    markets,
    frame: (text, tsRecv) => messages(feed.read(text, { tsRecv, flags })),
    messages,
    step: outputOf,
    reopen: ({ instrument, trades }, holes) => ({ ...NOTHING, instrument, missing: trades.reopen(holes) }),
    lose: ({ instrument }, tradeGaps) => ({ ...NOTHING, instrument, tradeGaps }),
    errors() {
      const found = errors
      errors = []
      return found
    },
    states: () =>
      [...markets.values()].map(({ instrument, book, trades }) => ({
        symbol: instrument.symbol,
        book: book.phase(),
        gaps: book.gaps(),
        missing_trades: trades.missing(),
      })),
  }
}

const NOTHING = {
  trades: [],
  l2Events: [],
  tradeGaps: [],
  wants: 'nothing',
  missing: [],
} as const satisfies Partial<InstrumentOutput>

function outputOf({ instrument }: Market, { records, wants }: BookStep): InstrumentOutput {
  return { ...NOTHING, instrument, l2Events: records, wants }
}
