import {
  createEmulatedMarket,
  type EmulatedChange,
  type EmulatedMarket,
  type EmulatedTrade,
} from './emulated-market.ts'
import type { Venue } from './venue.ts'
import { type RestAnswer, startVenueServer, type VenueClient } from './venue-server.ts'

export type Subscription = { op: 'subscribe' | 'unsubscribe'; channel: 'book' | 'trades'; symbol: string }

/** The message shapes of a venue whose snapshots follow a subscription. */
export type VenueShapes = {
  /** What a client's text subscribes to; undefined for anything else, which is answered with `reply`. */
  subscriptions: (text: string) => Subscription[] | undefined
  reply: (text: string) => string | undefined
  snapshot: (symbol: string, market: EmulatedMarket) => string
  change: (symbol: string, change: EmulatedChange, market: EmulatedMarket) => string
  trade: (symbol: string, trade: EmulatedTrade) => string
  /** Trades by REST. */
  oldTrades: (url: URL, markets: ReadonlyMap<string, EmulatedMarket>) => RestAnswer
}

export type StreamingVenueOptions = { symbols: readonly string[]; startMs?: number }

/** Starts a venue whose WebSocket sends snapshots and changes after a subscription, and whose REST returns old trades. */
export async function startStreamingVenue(
  shapes: VenueShapes,
  { symbols, startMs = Date.now() }: StreamingVenueOptions,
): Promise<Venue> {
  const markets = new Map(symbols.map((symbol, index) => [symbol, createEmulatedMarket({ seed: 11 + index, startMs })]))
  const subscribed = new WeakMap<VenueClient, Set<string>>()

  function marketOf(symbol: string): EmulatedMarket {
    const market = markets.get(symbol)
    if (market === undefined) throw new Error(`the venue has no ${symbol}`)
    return market
  }

  const server = await startVenueServer({
    rest: (url) => shapes.oldTrades(url, markets),
    connected: (client) => void subscribed.set(client, new Set()),
    received(client, text) {
      const subscriptions = shapes.subscriptions(text)
      const reply = subscriptions === undefined ? shapes.reply(text) : undefined
      if (reply !== undefined) client.socket.send(reply)
      for (const { op, channel, symbol } of subscriptions ?? []) {
        const topics = subscribed.get(client)
        if (op === 'unsubscribe') topics?.delete(`${channel} ${symbol}`)
        else topics?.add(`${channel} ${symbol}`)
        if (op === 'subscribe' && channel === 'book') client.socket.send(shapes.snapshot(symbol, marketOf(symbol)))
      }
    },
  })

  function publish(topic: string, text: string, isSent: boolean): string {
    if (isSent) server.send(text, (client) => subscribed.get(client)?.has(topic) === true)
    return text
  }

  return {
    ...server,
    markets,
    change(symbol, isSent = true) {
      const market = marketOf(symbol)
      return publish(`book ${symbol}`, shapes.change(symbol, market.change(), market), isSent)
    },
    trade: (symbol, isSent = true) =>
      publish(`trades ${symbol}`, shapes.trade(symbol, marketOf(symbol).trade()), isSent),
  }
}
