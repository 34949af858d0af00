import {
  createEmulatedMarket,
  type EmulatedChange,
  type EmulatedMarket,
  type EmulatedTrade,
} from './emulated-market.ts'
import type { Venue } from './venue.ts'
import { type RestAnswer, startVenueServer } from './venue-server.ts'

export type BinanceVenue = Venue & {
  /** Freezes snapshots at the current state, or releases them. */
  freezeSnapshots: (isFrozen: boolean) => void
}

export type BinanceVenueOptions = { symbols: readonly string[]; isFutures?: boolean; startMs?: number }

/** Binance's combined streams, depth snapshots and old trades, in the shapes of its spot or USD-M API. */
export async function startBinanceVenue({
  symbols,
  isFutures = false,
  startMs = Date.now(),
}: BinanceVenueOptions): Promise<BinanceVenue> {
  const markets = new Map(symbols.map((symbol, index) => [symbol, createEmulatedMarket({ seed: 7 + index, startMs })]))
  const previousIds = new Map<string, number>()
  let frozen: ReadonlyMap<string, string> | undefined

  function marketOf(symbol: string): EmulatedMarket {
    const market = markets.get(symbol)
    if (market === undefined) throw new Error(`the venue has no ${symbol}`)
    return market
  }

  function snapshotOf(symbol: string): string {
    const { lastId, bids, asks } = marketOf(symbol).book()
    const times = isFutures ? { E: startMs, T: startMs } : {}
    return JSON.stringify({ lastUpdateId: lastId, ...times, bids, asks })
  }

  const server = await startVenueServer({
    rest(url) {
      const symbol = url.searchParams.get('symbol') ?? ''
      if (!markets.has(symbol)) return errorResponse(400, -1121, 'Invalid symbol.')
      if (url.pathname.endsWith('/depth')) return { status: 200, body: frozen?.get(symbol) ?? snapshotOf(symbol) }
      if (url.pathname.endsWith('/historicalTrades')) return { status: 200, body: oldTrades(marketOf(symbol), url) }
      return errorResponse(404, -1, 'Unknown path.')
    },
  })

  function publish(symbol: string, { stream, data }: { stream: string; data: object }, isSent: boolean): string {
    const name = `${symbol.toLowerCase()}@${stream}`
    const text = JSON.stringify({ stream: name, data })
    if (isSent) server.send(text, ({ path }) => path.includes(name))
    return text
  }

  return {
    ...server,
    markets,
    change(symbol, isSent = true) {
      const change = marketOf(symbol).change()
      const previousId = previousIds.get(symbol) ?? change.firstId - 1
      previousIds.set(symbol, change.lastId)
      const data = { ...depthOf(symbol, change), ...(isFutures ? { pu: previousId, T: change.timeMs } : {}) }
      return publish(symbol, { stream: 'depth@100ms', data }, isSent)
    },
    trade(symbol, isSent = true) {
      const trade = tradeOf(symbol, marketOf(symbol).trade())
      const data = isFutures ? { ...trade, X: 'MARKET' } : { ...trade, M: true }
      return publish(symbol, { stream: 'trade', data }, isSent)
    },
    freezeSnapshots(isFrozen) {
      frozen = isFrozen ? new Map(symbols.map((symbol) => [symbol, snapshotOf(symbol)])) : undefined
    },
  }
}

/** An error response of Binance, with its own code in addition to the status. */
export function errorResponse(
  status: number,
  code: number,
  msg: string,
  headers: Record<string, string> = {},
): RestAnswer {
  return { status, body: JSON.stringify({ code, msg }), headers }
}

function depthOf(symbol: string, { firstId, lastId, timeMs, bids, asks }: EmulatedChange) {
  return { e: 'depthUpdate', E: timeMs, s: symbol, U: firstId, u: lastId, b: bids, a: asks }
}

function tradeOf(symbol: string, { id, timeMs, price, size, isBuyerMaker }: EmulatedTrade) {
  return { e: 'trade', E: timeMs, s: symbol, t: id, p: price, q: size, T: timeMs, m: isBuyerMaker }
}

function oldTrades({ trades }: EmulatedMarket, url: URL): string {
  const from = Number(url.searchParams.get('fromId') ?? 0)
  const limit = Number(url.searchParams.get('limit') ?? 500)
  const found = trades.filter(({ id }) => id >= from).slice(0, limit)
  return JSON.stringify(
    found.map(({ id, timeMs, price, size, isBuyerMaker }) => ({
      id,
      price,
      qty: size,
      quoteQty: String(Number(price) * Number(size)),
      time: timeMs,
      isBuyerMaker,
      isBestMatch: true,
    })),
  )
}
