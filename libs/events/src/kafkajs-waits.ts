import { createRequire } from 'node:module'
import { untilAborted } from './consumer/pause.ts'

type Fetched = { messages: unknown[] }[]
/** The part of kafkajs that fetches for one consumer; `fetch` reads the two limits of a wait from it. */
export type ConsumerGroup = {
  minBytes: number
  maxWaitTime: number
  fetch: (nodeId: string) => Promise<Fetched>
  cluster: { brokerPool: { brokers: Record<string, { connectionPool: { pool: Connection[] } }> } }
}
type Connection = { requestQueue: { rejectAll: (error: Error) => void } }
type Runner = { consumerGroup: ConsumerGroup; stop: () => Promise<void> }
type Waits = {
  configured: { minBytes: number; maxWaitTime: number }
  isIdle: boolean
  stopping: AbortController
}

/** Below a third of the session timeout: kafkajs sends heartbeats between two fetches. */
const IDLE_WAIT_MS = 2_500
const IDLE = { minBytes: 1, maxWaitTime: IDLE_WAIT_MS }
/** kafkajs sends fetches on the second connection to a broker, everything else on the first. */
const FETCHING = 1
const waits = new WeakMap<ConsumerGroup, Waits>()
let isPatched = false

/**
 * kafkajs 2.2.4 repeats a fetch every `maxWaitTimeInMs`, and a consumer stops only after its current fetch. After this
 * call a consumer whose last fetch was empty waits longer for its first message, which Kafka sends at once, and a
 * consumer that stops abandons its fetch.
 */
export function waitWhenIdle(): { prototype: ConsumerGroup } {
  const require = createRequire(import.meta.url)
  const group: { prototype: ConsumerGroup } = require('kafkajs/src/consumer/consumerGroup')
  const runner: { prototype: Runner } = require('kafkajs/src/consumer/runner')
  if (isPatched) return group
  isPatched = true
  const { fetch } = group.prototype
  group.prototype.fetch = async function (nodeId) {
    const own = waitsOf(this)
    Object.assign(this, own.isIdle ? IDLE : own.configured)
    const fetched = (await untilAborted(own.stopping.signal, fetch.call(this, nodeId))) ?? []
    own.isIdle = fetched.every(({ messages }) => messages.length === 0)
    return fetched
  }
  const { stop } = runner.prototype
  runner.prototype.stop = async function () {
    const stopping = stop.call(this)
    waitsOf(this.consumerGroup).stopping.abort()
    await stopping
    abandonFetches(this.consumerGroup)
  }
  return group
}

/** Aborts when the consumer of this group begins to stop. */
export function stopSignalOf(group: ConsumerGroup): AbortSignal {
  return waitsOf(group).stopping.signal
}

function waitsOf(group: ConsumerGroup): Waits {
  const { minBytes, maxWaitTime } = group
  const own = waits.get(group) ?? {
    configured: { minBytes, maxWaitTime },
    isIdle: false,
    stopping: new AbortController(),
  }
  waits.set(group, own)
  return own
}

/** Otherwise the connection stays open until Kafka has responded. */
function abandonFetches({ cluster }: ConsumerGroup): void {
  const error = new Error('the consumer has stopped')
  for (const { connectionPool } of Object.values(cluster.brokerPool.brokers))
    connectionPool.pool[FETCHING]?.requestQueue.rejectAll(error)
}
