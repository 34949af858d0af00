import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { createKafka } from '@tapeline/events/kafka'
import type { Logger } from '@tapeline/service/logger'
import type { Deps } from '../deps.ts'
import { holdLease } from './run/hold-lease.ts'
import { type Publisher, startPublisher } from './run/publisher.ts'
import type { RawFrames } from './run/raw-frames.ts'
import { createReceiveClock } from './run/receive-clock.ts'
import { type FeedPlan, startVenue, type VenueOptions } from './start-venue.ts'

const RETRY_MS = 1_000

export type ConnectorsOptions = Pick<VenueOptions, 'pingEveryMs' | 'firstPauseMs'> & {
  kafka: ReturnType<typeof createKafka>
  topicPrefix: string
  logger: Logger
  raw: (feed: string) => RawFrames
  /** One name per process. */
  holder?: string
}
export type Connectors = { stop: () => Promise<void> }

/** Connects to every planned feed for which this process gets the lease, until it is stopped. */
export function startConnectors(deps: Deps, plans: readonly FeedPlan[], options: ConnectorsOptions): Connectors {
  const stopping = new AbortController()
  const publisher = startPublisher(options)
  const running = plans.map((plan) => runPlan(deps, { plan, publisher, signal: stopping.signal }, options))
  return {
    async stop() {
      stopping.abort()
      await Promise.all(running)
      await publisher.stop()
    },
  }
}

type PlanRun = { plan: FeedPlan; publisher: Publisher; signal: AbortSignal }

async function runPlan(deps: Deps, { plan, publisher, signal }: PlanRun, options: ConnectorsOptions): Promise<void> {
  const { logger, holder = randomUUID() } = options
  await holdLease({ db: deps.db, feed: plan.name, holder, logger, signal }, async (working) => {
    while (!working.aborted) {
      const raw = options.raw(plan.name)
      try {
        const session = await startVenue(deps, plan, { ...options, publisher, clock: createReceiveClock(), raw })
        if (!working.aborted) await new Promise((resolve) => working.addEventListener('abort', resolve, { once: true }))
        await session.stop()
      } catch (err) {
        logger.error({ err, feed: plan.name }, 'venue connector could not start; retrying')
        await delay(RETRY_MS, undefined, { signal: working }).catch(() => undefined)
      } finally {
        await raw.stop()
      }
    }
  })
}
