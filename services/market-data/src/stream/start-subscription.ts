import type { UserActor } from '@tapeline/contracts/actor'
import type { StreamChannel, Subscribe } from '@tapeline/contracts/market-data/stream'
import type { Logger } from '@tapeline/service/logger'
import type { Deps } from '../deps.ts'
import type { RegisteredInstrument } from '../instruments/instrument.ts'
import { nanosecondsOf } from '../nanoseconds.ts'
import type { Key } from '../records/cursor.ts'
import type { FairQueue } from '../records/fair-queue.ts'
import { BarSubscription } from './bars/bar-subscription.ts'
import { barIntervalOf } from './bars/bar-channel.ts'
import { bookChannelOf } from './book/book-channel.ts'
import type { BookFeeds } from './book/book-feeds.ts'
import { bookSource } from './book/book-source.ts'
import { FeedReader } from './feed-reader.ts'
import type { Feed, FeedListener } from './live-feed.ts'
import type { LiveFeeds } from './live-feeds.ts'
import { openSubscription, type SubscriptionParameters } from './open-subscription.ts'
import { comparePositions, FIRST_POSITION, laterOf, type Position, positionAt, RECENT_NS } from './position.ts'
import { readUpToNow } from './read-up-to-now.ts'
import type { RunningSubscription } from './running-subscription.ts'
import { viewOf } from './stream-view.ts'
import { type Output, type Source, Subscription } from './subscription.ts'
import { listLastSequences } from './tail-queries.ts'

/** The live feeds of a process, of records and of books, and the queue in which its connections read the store. */
export type Feeds = { records: LiveFeeds; books: BookFeeds; queue: FairQueue }
export type StartOptions = { deps: Deps; feeds: Feeds; actor: UserActor; logger: Logger; output: Output }

/**
 * Starts a subscription at a position in each of its feeds; it does not send yet.
 * @throws AppError if it is not permitted or not possible
 */
export async function startSubscription(options: StartOptions, message: Subscribe): Promise<RunningSubscription> {
  const { deps, actor, logger, output } = options
  const parameters = await openSubscription(deps, actor, message)
  const interval = barIntervalOf(message.channel)
  if (interval === undefined) return startRecords(options, parameters, message.channel)
  const bars = new BarSubscription({ deps, parameters, output, logger, interval })
  for (const feed of await joinFeeds(parameters, bars, joinerOf(options, parameters, message.channel))) bars.add(feed)
  return bars
}

async function startRecords(
  options: StartOptions,
  parameters: SubscriptionParameters,
  channel: StreamChannel,
): Promise<Subscription> {
  const { deps, output } = options
  const source = sourceOf(deps, parameters, channel)
  const subscription = new Subscription({ deps, parameters, output, channelName: channel, source })
  const joined = await joinFeeds(parameters, subscription, joinerOf(options, parameters, channel))
  try {
    for (const reader of await readersOf(deps, parameters, joined)) {
      subscription.readers.set(reader.feed.instrumentId, reader)
    }
    return subscription
  } catch (error) {
    for (const feed of joined) feed.listeners.delete(subscription)
    throw error
  }
}

function sourceOf(deps: Deps, parameters: SubscriptionParameters, channel: StreamChannel): Source {
  const book = bookChannelOf(channel)
  if (book !== undefined) return bookSource(deps, book, parameters)
  const view = viewOf(parameters.channel, parameters.filter, parameters.instruments)
  return { view, readUpToNow: (subscription, pace) => readUpToNow(deps, subscription, pace) }
}

type Join = (instrument: RegisteredInstrument, listener: FeedListener) => Promise<Feed>

function joinerOf({ feeds }: StartOptions, parameters: SubscriptionParameters, channel: StreamChannel): Join {
  const book = bookChannelOf(channel)
  if (book !== undefined) return (instrument, listener) => feeds.books.join(book, instrument, listener)
  return (instrument, listener) => feeds.records.join(parameters.channel, instrument, listener)
}

async function joinFeeds(parameters: SubscriptionParameters, subscription: FeedListener, join: Join): Promise<Feed[]> {
  const joining = parameters.instruments.map((instrument) => join(instrument, subscription))
  try {
    return await Promise.all(joining)
  } catch (error) {
    for (const one of await Promise.allSettled(joining)) {
      if (one.status === 'fulfilled') one.value.listeners.delete(subscription)
    }
    throw error
  }
}

async function readersOf(
  deps: Deps,
  parameters: SubscriptionParameters,
  feeds: readonly Feed[],
): Promise<FeedReader[]> {
  const { channel, after, floors, start } = parameters
  if (after === undefined && start === undefined) {
    const recent = { tsEvent: String(nanosecondsOf(deps.now()) - RECENT_NS), sequence: '0' }
    return feeds.map((feed) => new FeedReader(feed, laterOf(feed.tail, recent), feed.lastSequence))
  }
  // Read before the positions are compared with the feeds: records stored until now are not late.
  const ids = feeds.map(({ instrumentId }) => ({ channel, instrumentId }))
  const stored = await listLastSequences(deps.pool, ids)
  return feeds.map((feed, index) => {
    const place = after === undefined ? startOf(start) : placeOf(after, floors, feed.instrumentId)
    return new FeedReader(feed, place, Math.max(stored[index] ?? 0, feed.lastSequence))
  })
}

function startOf(start = FIRST_POSITION.tsEvent): Position {
  return { tsEvent: start, sequence: FIRST_POSITION.sequence }
}

/** Instruments before the one of the key have passed its time: the order of all is (ts_event, instrument, sequence). */
function placeOf(after: Key, floors: readonly Key[] = [], instrumentId: number): Position {
  const floor = floors.find((key) => key.instrumentId === instrumentId)
  const place =
    instrumentId < after.instrumentId
      ? { tsEvent: after.tsEvent, sequence: SEQUENCE_MAX }
      : positionAt(after, instrumentId)
  return floor !== undefined && comparePositions(floor, place) > 0
    ? { tsEvent: floor.tsEvent, sequence: floor.sequence }
    : place
}

const SEQUENCE_MAX = String(2n ** 63n - 1n)
