import type { InstrumentSpec } from '../instruments/instrument.ts'
import { FEED_NAMES, type Feed, type FeedName } from './feeds/feed.ts'
import { FEEDS_OF_VENUE } from './feeds/feeds-of-venue.ts'
import type { FeedPlan } from './start-venue.ts'

/** Instruments per connection: venues limit streams per connection, and a lost connection then affects fewer books. */
const INSTRUMENTS_PER_CONNECTION = 100

export type Addresses = ReadonlyMap<FeedName, Feed['addresses']>

/**
 * Parses CONNECT, `venue:SYMBOL,SYMBOL venue:SYMBOL`, into one plan per connection.
 * @throws Error that names the part that cannot be parsed and gives a valid example
 */
export function parseConnect(text: string, addresses: Addresses = new Map()): FeedPlan[] {
  return planFeeds(parseVenues(text), addresses)
}

/**
 * Parses CONNECT into the symbols of each venue, each once.
 * @throws Error as `parseConnect`
 */
export function parseVenues(text: string): Map<string, string[]> {
  const symbolsOf = new Map<string, string[]>()
  for (const part of wordsOf(text)) {
    const [venue = '', list = ''] = part.split(':')
    const feeds = FEEDS_OF_VENUE.get(venue)
    if (feeds === undefined || list === '') {
      throw new Error(
        `CONNECT: ${part} must have the form venue:SYMBOL,SYMBOL with a venue of ${[...FEEDS_OF_VENUE.keys()].join(', ')}`,
      )
    }
    const symbols = list.split(',')
    for (const symbol of symbols) find(feeds, venue, symbol)
    symbolsOf.set(venue, [...new Set([...(symbolsOf.get(venue) ?? []), ...symbols])])
  }
  return symbolsOf
}

/**
 * One plan per connection for the symbols of each venue.
 * @throws Error that names a symbol of another form than the venue's
 */
export function planFeeds(
  symbolsOf: ReadonlyMap<string, readonly string[]>,
  addresses: Addresses = new Map(),
): FeedPlan[] {
  const byFeed = new Map<Feed, InstrumentSpec[]>()
  for (const [venue, symbols] of symbolsOf) {
    for (const symbol of symbols) {
      const { feed, instrument } = find(FEEDS_OF_VENUE.get(venue) ?? [], venue, symbol)
      byFeed.set(feed, [...(byFeed.get(feed) ?? []), instrument])
    }
  }
  return [...byFeed].flatMap(([feed, instruments]) =>
    chunksOf(instruments).map((chunk, index) => ({
      name: index === 0 ? feed.name : `${feed.name}-${index + 1}`,
      feed,
      addresses: addresses.get(feed.name) ?? feed.addresses,
      instruments: chunk,
    })),
  )
}

function find(feeds: readonly Feed[], venue: string, symbol: string): { feed: Feed; instrument: InstrumentSpec } {
  for (const feed of feeds) {
    const instrument = feed.instrumentOf(symbol)
    if (instrument !== undefined) return { feed, instrument }
  }
  throw new Error(
    `CONNECT: ${venue} has no symbol of the form ${symbol}; write BTC-USD, BTC-USDT-PERP or BTC-USD-20261225`,
  )
}

/**
 * Parses CONNECT_ADDRESSES, `feed=wss://host|https://host …`: mirrors, test networks and emulators.
 * @throws Error that names the part that cannot be read
 */
export function parseAddresses(text: string): Map<FeedName, Feed['addresses']> {
  return new Map(
    wordsOf(text).map((part) => {
      const [, name, socket = '', restAddress = ''] = /^([a-z-]+)=(wss?:\/\/[^|]+)\|(https?:\/\/.+)$/.exec(part) ?? []
      const feed = FEED_NAMES.find((one) => one === name)
      if (feed === undefined) {
        throw new Error(
          `CONNECT_ADDRESSES: ${part} must have the form feed=wss://host|https://host with a feed of ${FEED_NAMES.join(', ')}`,
        )
      }
      return [feed, { socket, rest: restAddress }]
    }),
  )
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

function chunksOf<T>(list: readonly T[]): T[][] {
  const chunks: T[][] = []
  for (let from = 0; from < list.length; from += INSTRUMENTS_PER_CONNECTION)
    chunks.push(list.slice(from, from + INSTRUMENTS_PER_CONNECTION))
  return chunks
}
