import { Kafka, logLevel, Partitioners, type Producer } from 'kafkajs'
import { readKafkaAddress } from './kafka-address.ts'
import { followCoordinator } from './kafkajs-coordinator.ts'
import { stopIdleTimers } from './kafkajs-timers.ts'
import { waitWhenIdle } from './kafkajs-waits.ts'
import type { Log } from './log.ts'

const CONNECT_TIMEOUT_MS = 1_000
/** Longer than a session: a group whose leader was killed responds only when that session has ended. */
const REQUEST_TIMEOUT_MS = 12_000
const SESSION_TIMEOUT_MS = 8_000
/** How long the group waits for a member that was killed while joining; the default of kafkajs is a minute. */
const REBALANCE_TIMEOUT_MS = 10_000
const RETRY = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 60, factor: 0.2, multiplier: 1.5 }
/** While a broker is unavailable, kafkajs logs twenty lines per second; one of each kind per interval is kept. */
const LOG_FOLD_MS = 10_000
/** Broker errors in normal operation: first use of a group, a rebalance, a topic that exists. */
const EXPECTED =
  /Topic creation errors|coordinator is (loading|not available)|group is rebalancing|Limiting retries for the idempotent/

stopIdleTimers()
waitWhenIdle()
followCoordinator()

export type KafkaOptions = { brokers: string; clientId: string; log: Log }

/** A Kafka client with the timeouts and retries of all processes. */
export function createKafka({ brokers, clientId, log }: KafkaOptions): Kafka {
  return new Kafka({
    clientId,
    ...readKafkaAddress(brokers),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    retry: { ...RETRY, restartOnFailure: async () => true },
    logLevel: logLevel.WARN,
    logCreator: () => foldedLog(log),
  })
}

/**
 * Idempotent producer: acks from all replicas, no duplicates within a session, in order. After a failed send, create
 * a new one: kafkajs would reuse the sequence number, and the broker would drop other messages as duplicates.
 */
export function createProducer(kafka: Kafka, retries = RETRY.retries): Producer {
  return kafka.producer({
    createPartitioner: Partitioners.DefaultPartitioner,
    allowAutoTopicCreation: false,
    idempotent: true,
    maxInFlightRequests: 1,
    retry: { retries, initialRetryTime: RETRY.initialRetryTime, maxRetryTime: RETRY.maxRetryTime },
  })
}

export const CONSUMER_OPTIONS = {
  sessionTimeout: SESSION_TIMEOUT_MS,
  rebalanceTimeout: REBALANCE_TIMEOUT_MS,
  heartbeatInterval: 1_000,
  maxWaitTimeInMs: 500,
  maxBytesPerPartition: 1_048_576,
  maxBytes: 4_194_304,
  allowAutoTopicCreation: false,
  retry: RETRY,
}

function foldedLog(log: Log) {
  const lastMs = new Map<string, number>()
  return ({ level, log: { message, ...extra } }: { level: logLevel; log: { message: string } }) => {
    if (EXPECTED.test(message) || ('error' in extra && EXPECTED.test(String(extra.error)))) {
      log.debug({ kafka: extra }, message)
      return
    }
    const now = Date.now()
    if (now - (lastMs.get(message) ?? 0) < LOG_FOLD_MS) return
    lastMs.set(message, now)
    const error = 'error' in extra ? String(extra.error) : undefined
    if (level === logLevel.ERROR) log.warn({ error }, `Kafka: ${message}`)
    else log.debug({ error }, `Kafka: ${message}`)
  }
}
