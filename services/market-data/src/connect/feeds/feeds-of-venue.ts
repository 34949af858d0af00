import { createBinanceFeed } from './binance-feed.ts'
import { createCoinbaseFeed } from './coinbase-feed.ts'
import type { Feed } from './feed.ts'
import { createKrakenFeed } from './kraken-feed.ts'
import { createOkxFeed } from './okx-feed.ts'

/** The feeds of each venue; the form of a symbol determines its feed. */
export const FEEDS_OF_VENUE: ReadonlyMap<string, readonly Feed[]> = new Map([
  ['binance', [createBinanceFeed('spot'), createBinanceFeed('usdm'), createBinanceFeed('coinm')]],
  ['coinbase', [createCoinbaseFeed()]],
  ['kraken', [createKrakenFeed()]],
  ['okx', [createOkxFeed()]],
])
