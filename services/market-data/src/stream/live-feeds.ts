import { withoutCancellation } from '@tapeline/database/cancel'
import type { Logger } from '@tapeline/service/logger'
import type { RegisteredInstrument } from '../instruments/instrument.ts'
import type { Stores } from '../lake/reading/list-stored-rows.ts'
import type { ChannelName } from '../tables.ts'
import { createFeedStore } from './feed-store.ts'
import { type FeedListener, LiveFeed } from './live-feed.ts'
import { decodeStoredRows } from './live-message.ts'
import { type ChannelId, listLastSequences } from './tail-queries.ts'

/** An unused feed is kept this long for clients that reconnect. */
const UNUSED_MAX_MS = 60_000

type Entry = { feed: LiveFeed; unusedSinceMs: number | undefined }

/** The live feeds that this process has subscriptions for: one per channel and instrument. */
export class LiveFeeds {
  private readonly entries = new Map<string, Entry>()
  private readonly stores: Stores
  private readonly logger: Logger

  constructor(stores: Stores, logger: Logger) {
    this.stores = stores
    this.logger = logger
  }

  /** Opens the feed; the listener is added before the first record that it lacks. */
  async join(channel: ChannelName, instrument: RegisteredInstrument, listener: FeedListener): Promise<LiveFeed> {
    const key = keyOf({ channel, instrumentId: instrument.instrumentId })
    const entry = this.entries.get(key) ?? this.add(key, channel, instrument)
    entry.feed.listeners.add(listener)
    try {
      await entry.feed.opened
      return entry.feed
    } catch (error) {
      entry.feed.listeners.delete(listener)
      if (this.entries.get(key) === entry) this.entries.delete(key)
      throw error
    }
  }

  /** A message of the live topic; false if no subscription needs it. */
  accept(value: Buffer | null): boolean {
    if (value === null) return false
    const message = decodeStoredRows(value, (id) => this.entries.has(keyOf(id)))
    if (message === undefined) return false
    this.entries.get(keyOf(message))?.feed.accept(message)
    return true
  }

  /** Detects unannounced records: the store has a later sequence. */
  async compareWithStore(): Promise<void> {
    this.dropUnused()
    const feeds = [...this.entries.values()].map(({ feed }) => feed)
    if (feeds.length === 0) return
    const sequences = await listLastSequences(this.stores.pool, feeds)
    for (const [index, feed] of feeds.entries()) feed.expect(sequences[index] ?? 0)
  }

  private add(key: string, channel: ChannelName, instrument: RegisteredInstrument): Entry {
    const store = createFeedStore(this.stores, channel, instrument)
    const onFailure = (err: unknown) =>
      this.logger.warn({ err, feed: key }, 'stream: missing records could not be read; retrying')
    // Several subscriptions may wait for it, so the first one's cancellation must not end it.
    const feed = withoutCancellation(() => new LiveFeed({ channel, instrument, store, onFailure }))
    feed.opened.catch(() => undefined)
    const entry = { feed, unusedSinceMs: undefined }
    this.entries.set(key, entry)
    return entry
  }

  private dropUnused(): void {
    const nowMs = performance.now()
    for (const [key, entry] of this.entries) {
      if (entry.feed.listeners.size > 0) entry.unusedSinceMs = undefined
      else entry.unusedSinceMs ??= nowMs
      if (nowMs - (entry.unusedSinceMs ?? nowMs) > UNUSED_MAX_MS) this.entries.delete(key)
    }
  }
}

function keyOf({ channel, instrumentId }: ChannelId): string {
  return `${channel} ${instrumentId}`
}
