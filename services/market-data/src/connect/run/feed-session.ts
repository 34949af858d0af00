import { setTimeout as delay } from 'node:timers/promises'
import type { FeedReport } from '@tapeline/contracts/market-data/venues'
import type { Logger } from '@tapeline/service/logger'
import type { InstrumentSpec } from '../../instruments/instrument.ts'
import { gapOf } from '../book/trade-chain.ts'
import { createFeedReader, type FeedReader, type InstrumentOutput } from '../feed-reader.ts'
import type { Feed } from '../feeds/feed.ts'
import { createActivity } from './activity.ts'
import { createBackoff } from './backoff.ts'
import type { Publisher } from './publisher.ts'
import type { RawFrames } from './raw-frames.ts'
import { type Connection, createRecovery } from './recover-market.ts'
import { createRestClient } from './rest-client.ts'
import { type ConnectionEvents, useConnection } from './use-connection.ts'

const FULL_PAUSE_MS = 250
const ERROR_LENGTH_MAX = 200

export type SessionOptions = {
  feed: Feed
  addresses: Feed['addresses']
  instruments: readonly InstrumentSpec[]
  publisher: Publisher
  clock: () => string
  raw: RawFrames
  logger: Logger
  random?: () => number
  /** Interval of pings; a connection that received nothing during two intervals is closed. */
  pingEveryMs?: number
  firstPauseMs?: number
  /** A connection is renewed after this time, before the venue ends it. */
  connectionAgeMaxMs?: number
}

export type FeedSession = {
  reader: FeedReader
  handle: (outputs: readonly InstrumentOutput[]) => void
  report: () => FeedReport
  stop: () => Promise<void>
}

/** Keeps one connection to a venue open and its instruments joined, until it is stopped. */
export function startFeedSession(options: SessionOptions): FeedSession {
  const { feed, addresses, instruments, publisher, random = Math.random } = options
  const stopping = new AbortController()
  const reader = createFeedReader({ feed, instruments })
  const rest = createRestClient({ feed, address: addresses.rest, signal: stopping.signal })
  const activity = createActivity(options.clock)
  let connection: Connection = { send: () => undefined, signal: AbortSignal.abort() }
  const recovery = createRecovery({ ...options, rest, reader, random, handle, fail })

  function handle(outputs: readonly InstrumentOutput[]): void {
    for (const output of outputs) {
      // If this process is killed, the next one requests the trades of these gaps.
      publisher.publish({ ...output, tradeGaps: [...output.tradeGaps, ...output.missing.map(gapOf)] })
      activity.published(output)
      const market = reader.markets.get(output.instrument.venueSymbol)
      if (market === undefined) continue
      for (const missing of output.missing) recovery.fetchTrades(market, missing, stopping.signal)
      recovery.follow(market, output.wants, connection)
    }
    for (const message of reader.errors()) fail(`rejected by the venue: ${message.slice(0, ERROR_LENGTH_MAX)}`)
  }

  function fail(reason: string): void {
    activity.failed(reason)
    options.logger.warn(
      { feed: feed.name, reason },
      'venue connector: the feed reported a problem; shown on the venues page',
    )
  }

  const running = runConnected(options, stopping.signal, {
    opened(opened) {
      activity.opened()
      connection = opened
      for (const market of reader.markets.values()) recovery.opened(market, opened)
    },
    frame(text, tsRecv) {
      activity.message(tsRecv)
      handle(reader.frame(text, tsRecv))
    },
    ended(reason) {
      activity.ended()
      if (!stopping.signal.aborted) fail(reason)
      const tsRecv = options.clock()
      for (const market of reader.markets.values()) handle([reader.step(market, market.book.lost(reason, tsRecv))])
    },
  })
  return {
    reader,
    handle,
    report: () => activity.report(reader.states()),
    async stop() {
      stopping.abort()
      await running
    },
  }
}

type Events = Omit<ConnectionEvents, 'signal'> & { ended: (reason: string) => void }

async function runConnected(options: SessionOptions, signal: AbortSignal, events: Events): Promise<void> {
  const { publisher, random = Math.random, firstPauseMs } = options
  const backoff = createBackoff({
    random,
    nowMs: () => performance.now(),
    ...(firstPauseMs === undefined ? {} : { firstMs: firstPauseMs }),
  })
  while (!signal.aborted) {
    while (publisher.isFull() && !signal.aborted) await pause(FULL_PAUSE_MS, signal)
    const opened = (connection: Connection): void => {
      backoff.succeeded()
      events.opened(connection)
    }
    events.ended(await useConnection(options, { ...events, signal, opened }))
    await pause(backoff.nextMs(), signal)
  }
}

async function pause(pauseMs: number, signal: AbortSignal): Promise<void> {
  await delay(pauseMs, undefined, { signal }).catch(() => undefined)
}
