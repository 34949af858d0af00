import { BOOK_CHANNELS, type StreamChannel } from '@tapeline/contracts/market-data/stream'

/** The channels that are derived from books. */
export type BookChannel = 'bbo' | (typeof BOOK_CHANNELS)[number]

/** Undefined for a channel that is not derived from books. */
export function bookChannelOf(channel: StreamChannel): BookChannel | undefined {
  return channel === 'bbo' ? 'bbo' : BOOK_CHANNELS.find((one) => one === channel)
}

/** Levels per side; undefined for all. */
export function depthOf(channel: BookChannel): number | undefined {
  if (channel === 'book.full') return undefined
  return channel === 'book.50' ? 50 : 10
}
