import { randomUUIDv7 } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type createKafka, createProducer } from '@tapeline/events/kafka'
import type { WorkSignals } from '@tapeline/database/work-signals'
import type { Topic } from '@tapeline/contracts/topics'
import type { Logger } from '@tapeline/service/logger'
import type pg from 'pg'
import type { Deps } from '../deps.ts'
import { MARKETS } from './markets.ts'
import { type Demand, followReaders } from './readers.ts'
import { createRandom } from './random.ts'
import { type LiveOptions, resendLast, sendLive } from './send-live.ts'
import { tryLockSimulator, unlockSimulator } from './simulator-queries.ts'
import { writeHistory } from './write-history.ts'

type Kafka = ReturnType<typeof createKafka>
type Producer = ReturnType<typeof createProducer>
export type SimulatorOptions = {
  kafka: Kafka
  topicPrefix: string
  seed: string
  historySeconds: number
  logger: Logger
  signals: WorkSignals
}
export type Simulator = { stop: () => Promise<void> }

const TOPIC: Topic = 'market-data'
/** Delay after the end of a second, in ms. */
const AFTER_SECOND_MS = 5
const MS_PER_SECOND = 1_000
/** Seconds sent at once while nothing reads them. */
const UNREAD_SECONDS = 10
const RETRY_MS = 1_000
const STOP_TIMEOUT_MS = 3_000

/**
 * Runs the simulated venue in the background: history first, then second by second while records are read, otherwise ten
 * seconds at a time. One process at a time does it.
 */
export function startSimulator(deps: Deps, options: SimulatorOptions): Simulator {
  const stopping = new AbortController()
  const producer = createProducer(options.kafka)
  const demand = followReaders(options.signals)
  const running = runUntilStopped(deps, options, { producer, demand, signal: stopping.signal })
  return {
    async stop() {
      stopping.abort()
      demand.end()
      // A broker that does not answer must not delay the stop; the planned range is sent again at the next start.
      await Promise.race([running, delay(STOP_TIMEOUT_MS, undefined, { ref: false })])
      await producer.disconnect()
    },
  }
}

async function runUntilStopped(
  deps: Deps,
  options: SimulatorOptions,
  { producer, demand, signal }: { producer: Producer; demand: Demand; signal: AbortSignal },
): Promise<void> {
  let isFailing = false
  while (!signal.aborted) {
    try {
      await runExclusively(deps.pool, (hasLock) => simulate(deps, { ...options, producer, demand, signal, hasLock }))
      isFailing = false
    } catch (err) {
      if (!isFailing && !signal.aborted) options.logger.warn({ err }, 'simulator: an iteration failed; retrying')
      isFailing = true
    }
    await pause(RETRY_MS, signal)
  }
}

/** Holds the lock on a separate connection; without the lock another process simulates, and this one waits. */
async function runExclusively(pool: pg.Pool, work: (hasLock: () => boolean) => Promise<void>): Promise<void> {
  const client = await pool.connect()
  let broken: Error | undefined
  const onError = (error: Error) => {
    broken = error
  }
  client.on('error', onError)
  try {
    if (!(await tryLockSimulator(client))) return
    try {
      await work(() => broken === undefined)
    } finally {
      if (broken === undefined) await unlockSimulator(client)
    }
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
}

type Run = SimulatorOptions & { producer: Producer; demand: Demand; signal: AbortSignal; hasLock: () => boolean }

/** Runs until the process stops, the lock is lost or a failure occurs; the planned range is sent again afterwards. */
async function simulate(
  deps: Deps,
  { seed, historySeconds, logger, topicPrefix, producer, demand, signal, hasLock }: Run,
): Promise<void> {
  const random = createRandom(seed)
  const startedMs = performance.now()
  const written = await writeHistory(deps, { random, markets: MARKETS, historySeconds, signal })
  if (written > 0)
    logger.info({ records: written, ms: Math.round(performance.now() - startedMs) }, 'simulator: history generated')
  await producer.connect()
  const live: LiveOptions = {
    random,
    markets: MARKETS,
    historySeconds,
    newId: () => randomUUIDv7(),
    send: (messages) => producer.send({ topic: topicPrefix + TOPIC, acks: -1, messages }),
  }
  await resendLast(deps, live)
  while (!signal.aborted && hasLock()) {
    await sendLive(deps, live)
    const seconds = demand.isPresent() ? 1 : UNREAD_SECONDS
    const sinceSecondMs = deps.now().getTime() % MS_PER_SECOND
    await demand.pause(seconds * MS_PER_SECOND - sinceSecondMs + AFTER_SECOND_MS, signal)
  }
}

async function pause(waitMs: number, signal: AbortSignal): Promise<void> {
  await delay(waitMs, undefined, { signal }).catch(() => undefined)
}
