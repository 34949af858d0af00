import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '@tapeline/service/logger'
import type { InstrumentSpec } from '../../instruments/instrument.ts'
import { createBackoff } from '../run/backoff.ts'
import type { Publisher } from '../run/publisher.ts'
import { type CcxtMarket, type CcxtTrade, instrumentOfMarket, tradeOfCcxt } from './ccxt-trade.ts'

/** The part of a `ccxt.pro` exchange that this connector uses. */
export type CcxtExchange = {
  id: string
  has: Readonly<Record<string, unknown>>
  markets: Readonly<Record<string, CcxtMarket>>
  loadMarkets: () => Promise<unknown>
  /** Resolves with the trades since the last call. */
  watchTrades: (symbol: string) => Promise<CcxtTrade[]>
  close: () => Promise<unknown>
}
export type Watched = { instrument: InstrumentSpec; ccxtSymbol: string }

const FULL_PAUSE_MS = 250

/**
 * The markets of these symbols, as this API writes them.
 * @throws Error that names the first symbol that the venue does not have
 */
export async function findMarkets(exchange: CcxtExchange, symbols: readonly string[]): Promise<Watched[]> {
  if (exchange.has['watchTrades'] !== true) throw new Error(`ccxt has no live trades of ${exchange.id}`)
  await exchange.loadMarkets()
  const available = new Map<string, Watched>()
  for (const market of Object.values(exchange.markets)) {
    const instrument = instrumentOfMarket(exchange.id, market)
    if (instrument !== undefined) available.set(instrument.symbol, { instrument, ccxtSymbol: market.symbol })
  }
  return symbols.map((symbol) => {
    const found = available.get(symbol)
    if (found === undefined)
      throw new Error(`${exchange.id} has no ${symbol}; write BTC-USD, BTC-USDT-PERP or BTC-USD-20261225`)
    return found
  })
}

export type WatchOptions = {
  exchange: CcxtExchange
  publisher: Publisher
  clock: () => string
  logger: Logger
  signal: AbortSignal
  firstPauseMs?: number
}

/** Publishes the trades of one market until `signal` aborts; after a failure it continues with increasing delay. */
export async function watchTrades({ instrument, ccxtSymbol }: Watched, options: WatchOptions): Promise<void> {
  const { exchange, publisher, clock, logger, signal, firstPauseMs } = options
  const backoff = createBackoff({
    random: Math.random,
    nowMs: () => performance.now(),
    ...(firstPauseMs === undefined ? {} : { firstMs: firstPauseMs }),
  })
  const pause = (pauseMs: number) => delay(pauseMs, undefined, { signal }).catch(() => undefined)
  while (!signal.aborted) {
    try {
      const watched = await exchange.watchTrades(ccxtSymbol)
      const tsRecv = clock()
      const trades = watched.map((trade) => tradeOfCcxt(trade, tsRecv)).filter((trade) => trade !== undefined)
      publisher.publish({ instrument, trades, l2Events: [], tradeGaps: [] })
      if (trades.length < watched.length) {
        logger.warn(
          { symbol: instrument.symbol, count: watched.length - trades.length },
          'ccxt: trades without an id, price or size were skipped',
        )
      }
      backoff.succeeded()
      while (publisher.isFull() && !signal.aborted) await pause(FULL_PAUSE_MS)
    } catch (error) {
      if (signal.aborted) return
      logger.warn({ symbol: instrument.symbol, error: String(error) }, 'ccxt: reading trades failed; retrying')
      await pause(backoff.nextMs())
    }
  }
}
