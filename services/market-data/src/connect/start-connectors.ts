import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { createKafka } from '@tapeline/events/kafka'
import type { WorkSignals } from '@tapeline/database/work-signals'
import type { Logger } from '@tapeline/service/logger'
import type { Deps } from '../deps.ts'
import { holdLease } from './run/hold-lease.ts'
import { type Publisher, startPublisher } from './run/publisher.ts'
import type { RawFrames } from './run/raw-frames.ts'
import { createReceiveClock } from './run/receive-clock.ts'
import { reportFeed } from './run/report-feed.ts'
import { VENUES_WORK } from './settings/venue-queries.ts'
import type { ConfiguredFeeds } from './settings/configured-feeds.ts'
import { type FeedPlan, startVenue, type VenueOptions } from './start-venue.ts'

const RETRY_MS = 1_000
const FOLLOW_EVERY_MS = 1_000
/** Interval of reading the configured feeds while changes are announced. */
const FOLLOW_NET_MS = 10_000

export type ConnectorsOptions = Pick<VenueOptions, 'pingEveryMs' | 'firstPauseMs'> & {
  kafka: ReturnType<typeof createKafka>
  topicPrefix: string
  logger: Logger
  raw: (feed: string) => RawFrames
  /** One name per process. */
  holder?: string
  /** Announcements of changes; without them the configured feeds are read every second. */
  signals?: WorkSignals
}
export type Connectors = { stop: () => Promise<void> }

/**
 * Connects to every configured feed whose lease this process gets, and follows changes of the configuration, until
 * stopped.
 */
export function startConnectors(deps: Deps, configuredFeeds: ConfiguredFeeds, options: ConnectorsOptions): Connectors {
  const stopping = new AbortController()
  const publisher = startPublisher(options)
  const running = followConfigured(deps, { configuredFeeds, publisher, signal: stopping.signal }, options)
  return {
    async stop() {
      stopping.abort()
      await running
      await publisher.stop()
    },
  }
}

type Running = { stop: () => Promise<void> }
type Following = { configuredFeeds: ConfiguredFeeds; publisher: Publisher; signal: AbortSignal }

/** A feed whose symbols change is reconnected: its other books have a gap. */
async function followConfigured(
  deps: Deps,
  { configuredFeeds, publisher, signal }: Following,
  options: ConnectorsOptions,
) {
  const { logger } = options
  const running = new Map<string, Running>()
  const start = (plan: FeedPlan): Running => {
    const ending = new AbortController()
    const done = runPlan(deps, { plan, publisher, signal: ending.signal }, options)
    return { stop: () => (ending.abort(), done) }
  }
  let isFailing = false
  const changes = followChanges(options.signals)
  while (!signal.aborted) {
    changes.begin()
    try {
      const configured = new Map((await configuredFeeds()).map((plan) => [keyOf(plan), plan]))
      const removed = [...running].filter(([key]) => !configured.has(key))
      for (const [key] of removed) running.delete(key)
      await Promise.all(removed.map(([, one]) => one.stop()))
      for (const [key, plan] of configured) if (!running.has(key) && !signal.aborted) running.set(key, start(plan))
      isFailing = false
    } catch (err) {
      if (!isFailing) logger.warn({ err }, 'venue connector: settings could not be read; existing connections are kept')
      isFailing = true
    }
    await changes.wait(signal, isFailing)
  }
  changes.end()
  await Promise.all([...running.values()].map((one) => one.stop()))
}

/** Waits until something changed after `begin`; at most a second after a failure or while announcements can be lost. */
function followChanges(signals: WorkSignals | undefined) {
  let changing = new AbortController()
  const end = signals?.on(VENUES_WORK, () => changing.abort())
  return {
    end: () => end?.(),
    begin: () => (changing = new AbortController()),
    async wait(signal: AbortSignal, isFailing: boolean): Promise<void> {
      const waitMs = signals?.isListening() === true && !isFailing ? FOLLOW_NET_MS : FOLLOW_EVERY_MS
      await delay(waitMs, undefined, { signal: AbortSignal.any([signal, changing.signal]) }).catch(() => undefined)
    },
  }
}

function keyOf({ name, addresses, instruments }: FeedPlan): string {
  return JSON.stringify([name, addresses, instruments.map(({ symbol }) => symbol)])
}

type PlanRun = { plan: FeedPlan; publisher: Publisher; signal: AbortSignal }

async function runPlan(deps: Deps, { plan, publisher, signal }: PlanRun, options: ConnectorsOptions): Promise<void> {
  const { logger, holder = randomUUID() } = options
  const { db } = deps
  await holdLease({ db, feed: plan.name, holder, logger, signal }, async (working) => {
    while (!working.aborted) {
      const raw = options.raw(plan.name)
      try {
        const session = await startVenue(deps, plan, { ...options, publisher, clock: createReceiveClock(), raw })
        await reportFeed({ db, feed: plan.name, session, logger, signal: working })
        await session.stop()
      } catch (err) {
        logger.error({ err, feed: plan.name }, 'venue connector: could not start; retrying')
        await delay(RETRY_MS, undefined, { signal: working }).catch(() => undefined)
      } finally {
        await raw.stop()
      }
    }
  })
}
