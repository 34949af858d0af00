import { withoutCancellation } from '@tapeline/database/cancel'
import type { Logger } from '@tapeline/service/logger'
import type { RegisteredInstrument } from '../../instruments/instrument.ts'
import type { Stores } from '../../lake/reading/list-stored-rows.ts'
import type { FeedListener } from '../live-feed.ts'
import type { LiveFeeds } from '../live-feeds.ts'
import type { BookChannel } from './book-channel.ts'
import { BookFeed } from './book-feed.ts'
import type { DerivedFeed } from './derived-feed.ts'

/** An unused book is kept this long for clients that reconnect. */
const UNUSED_MAX_MS = 60_000

type Entry = { feed: BookFeed; unusedSinceMs: number | undefined }

/** The live books that this process has subscriptions for: one per instrument. */
export class BookFeeds {
  private readonly entries = new Map<number, Entry>()
  private readonly stores: Stores
  private readonly events: LiveFeeds
  private readonly logger: Logger

  constructor(stores: Stores, events: LiveFeeds, logger: Logger) {
    this.stores = stores
    this.events = events
    this.logger = logger
  }

  /** Opens the feed of a channel of the book and adds the listener. */
  async join(channel: BookChannel, instrument: RegisteredInstrument, listener: FeedListener): Promise<DerivedFeed> {
    const entry = this.entries.get(instrument.instrumentId) ?? this.add(instrument)
    entry.unusedSinceMs = undefined
    try {
      await entry.feed.opened
    } catch (error) {
      if (this.entries.get(instrument.instrumentId) === entry) this.entries.delete(instrument.instrumentId)
      throw error
    }
    const feed = entry.feed.feedOf(channel)
    feed.listeners.add(listener)
    return feed
  }

  dropUnused(): void {
    const nowMs = performance.now()
    for (const [instrumentId, entry] of this.entries) {
      if (entry.feed.isUsed()) entry.unusedSinceMs = undefined
      else entry.unusedSinceMs ??= nowMs
      if (nowMs - (entry.unusedSinceMs ?? nowMs) <= UNUSED_MAX_MS) continue
      entry.feed.close()
      this.entries.delete(instrumentId)
    }
  }

  private add(instrument: RegisteredInstrument): Entry {
    const { stores, events, logger } = this
    const { instrumentId } = instrument
    // Several subscriptions may wait for it, so the first one's cancellation must not end it.
    const feed = withoutCancellation(
      () =>
        new BookFeed({
          stores,
          instrument,
          joinEvents: (listener) => events.join('l2_event', instrument, listener),
          onFailure: (err) =>
            logger.warn({ err, instrumentId }, 'stream: a live book could not be read from the store; retrying'),
        }),
    )
    feed.opened.catch(() => undefined)
    const entry = { feed, unusedSinceMs: undefined }
    this.entries.set(instrumentId, entry)
    return entry
  }
}
