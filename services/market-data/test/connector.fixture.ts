import type { L2Event, L2EventPage, ListTrades, Trade, TradePage } from '@tapeline/contracts/market-data/http'
import { startConsumer } from '@tapeline/events/consumer/consume'
import { someUser } from '@tapeline/testing/actors'
import { openTestTopics } from '@tapeline/testing/kafka/test-topics'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import type { Feed } from '../src/connect/feeds/feed.ts'
import type { FeedSession } from '../src/connect/run/feed-session.ts'
import { startPublisher } from '../src/connect/run/publisher.ts'
import { NO_RAW_FRAMES } from '../src/connect/run/raw-frames.ts'
import { createReceiveClock } from '../src/connect/run/receive-clock.ts'
import { startVenue } from '../src/connect/start-venue.ts'
import { createDeps } from '../src/deps.ts'
import type { InstrumentSpec } from '../src/instruments/instrument.ts'
import { migrations } from '../src/migrations/all.ts'
import { answerList } from '../src/records/answer-list.ts'
import { createFairQueue } from '../src/records/fair-queue.ts'
import { subscriptions } from '../src/subscriptions.ts'
import type { ChannelName, Tables } from '../src/tables.ts'

const QUICK = { raw: NO_RAW_FRAMES, logger: silentLogger, pingEveryMs: 10_000, firstPauseMs: 20 }
const actor = someUser({ tier: 'pro' })
const SECRET = 'a secret of at least 32 characters'
const ALL_TIMES = { start: '2020-01-01', end: '2100-01-01' }

/** Connector, Kafka, consumer and store of one test file; records are read as the API returns them. */
export async function openConnectorPath() {
  const database = await openTestDatabase<Tables>(migrations)
  const topics = await openTestTopics(['market-data'])
  const deps = createDeps(database.pool, () => new Date(), SECRET)
  const consumer = startConsumer({
    kafka: topics.kafka,
    db: deps.db,
    group: `${topics.prefix}market-data`,
    topicPrefix: topics.prefix,
    subscriptions: subscriptions(deps),
    log: silentLogger,
    now: deps.now,
  })
  const publisher = startPublisher({ kafka: topics.kafka, topicPrefix: topics.prefix, logger: silentLogger })
  const clock = createReceiveClock()
  const sessions: FeedSession[] = []
  // A page of a live instrument ends some seconds before now; for these readers all stored records are older.
  const readingDeps = createDeps(database.pool, () => new Date(Date.now() + 60_000), SECRET)
  const queue = createFairQueue({ runningMax: 1, waitingMax: 10, waitingOfAccountMax: 10 })
  const read = async (channel: ChannelName, body: ListTrades): Promise<unknown> => {
    const call = { channel, body, accept: undefined, requestId: 'x', path: '/' }
    const answer = await answerList({ deps: readingDeps, queue }, actor, call)
    return JSON.parse(Buffer.isBuffer(answer.body) ? answer.body.toString() : '')
  }

  return {
    deps,
    database,
    topics,
    /** Connects a feed to an emulated venue. */
    async connect(feed: Feed, addresses: Feed['addresses'], symbols: readonly string[]): Promise<FeedSession> {
      const instruments = instrumentsOf(feed, symbols)
      const session = await startVenue(
        deps,
        { name: feed.name, feed, addresses, instruments },
        { ...QUICK, publisher, clock },
      )
      sessions.push(session)
      return session
    },
    trades: (symbol: string): Promise<Trade[]> =>
      readAll(async (body) => (await read('trade', body)) as TradePage, symbol),
    tradeGaps: async (symbol: string): Promise<TradePage['coverage']> => {
      const page = (await read('trade', { symbols: [symbol], ...ALL_TIMES, limit: 1 })) as TradePage
      return page.coverage.filter(({ state }) => state === 'gap')
    },
    l2Events: (symbol: string): Promise<L2Event[]> =>
      readAll(async (body) => (await read('l2_event', body)) as L2EventPage, symbol),
    async close() {
      for (const session of sessions) await session.stop()
      await publisher.stop()
      await consumer.stop()
      await topics.drop()
      await database.drop()
    },
  }
}

async function readAll<T>(
  read: (body: object) => Promise<{ data: T[]; has_more: boolean; next_cursor: string | null }>,
  symbol: string,
): Promise<T[]> {
  const found: T[] = []
  let body: object = { symbols: [symbol], ...ALL_TIMES, limit: 1000 }
  for (;;) {
    const page = await read(body)
    found.push(...page.data)
    if (!page.has_more) return found
    body = { cursor: page.next_cursor }
  }
}

export function instrumentsOf(feed: Feed, symbols: readonly string[]): InstrumentSpec[] {
  return symbols.map((symbol) => {
    const instrument = feed.instrumentOf(symbol)
    if (instrument === undefined) throw new Error(`${feed.name} has no ${symbol}`)
    return instrument
  })
}

/** The book that the events up to the last one describe; undefined while a gap makes it unknown. */
export function bookOf(events: readonly L2Event[]): { bids: string[][]; asks: string[][] } | undefined {
  let sides: { bids: Map<string, string>; asks: Map<string, string> } | undefined
  for (const { type, bids, asks } of events) {
    if (type === 'gap') sides = undefined
    if (type === 'snapshot') sides = { bids: new Map(), asks: new Map() }
    if (sides === undefined) continue
    for (const [side, levels] of [
      [sides.bids, bids],
      [sides.asks, asks],
    ] as const) {
      for (const [price, size] of levels) {
        if (size === '0') side.delete(price)
        else side.set(price, size)
      }
    }
  }
  const sorted = (side: Map<string, string>, sign: 1 | -1) =>
    [...side].toSorted(([one], [other]) => sign * (Number(one) - Number(other)))
  return sides && { bids: sorted(sides.bids, -1), asks: sorted(sides.asks, 1) }
}
