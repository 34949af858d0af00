import { createRequire } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import { untilAborted } from './consumer/pause.ts'
import { type ConsumerGroup, stopSignalOf } from './kafkajs-waits.ts'

type Coordinator = object
type Method = 'heartbeat' | 'commitOffsets' | 'commitOffsetsIfNecessary'
/** The part of kafkajs that sends what a member sends to the coordinator of its group. */
type Member = ConsumerGroup & {
  groupId: string
  coordinator: Coordinator
  offsetManager: { coordinator: Coordinator } | null
  cluster: { findGroupCoordinator: (group: { groupId: string }) => Promise<Coordinator> }
} & Record<Method, (...args: unknown[]) => Promise<unknown>>

const METHODS: Method[] = ['heartbeat', 'commitOffsets', 'commitOffsetsIfNecessary']
const LOST = new Set(['KafkaJSConnectionError', 'KafkaJSConnectionClosedError', 'KafkaJSRequestTimeoutError'])
/** The broker is up, but another one coordinates the group now. */
const MOVED = 'NOT_COORDINATOR_FOR_GROUP'
/** While a new coordinator takes over, brokers may still name the old one. */
const ATTEMPTS_MAX = 10
const RETRY_MS = 300
const searches = new WeakMap<Member, Promise<boolean>>()
let isPatched = false

/**
 * kafkajs 2.2.4 looks for the coordinator of its group only when it joins. While that broker is unavailable, each of a member's
 * heartbeats and commits fails and interrupts its reading, for as long as its retries last; when the broker returns, the
 * member joins again. After this call a member looks up the new coordinator, which has the group's state, and
 * stays in the group.
 */
export function followCoordinator(): void {
  if (isPatched) return
  isPatched = true
  const group: { prototype: Member } = createRequire(import.meta.url)('kafkajs/src/consumer/consumerGroup')
  for (const name of METHODS) {
    const send = group.prototype[name]
    group.prototype[name] = async function (...args) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await send.apply(this, args)
        } catch (error) {
          if (attempt === ATTEMPTS_MAX || !isLost(error)) throw error
          if (attempt > 1) await delay(RETRY_MS)
          if (!(await findCoordinator(this))) throw error
        }
      }
    }
  }
}

function isLost(error: unknown): boolean {
  return error instanceof Error && (LOST.has(error.name) || ('type' in error && error.type === MOVED))
}

/** Once at a time per member; false if the consumer was stopped meanwhile. */
function findCoordinator(member: Member): Promise<boolean> {
  const running = searches.get(member)
  if (running !== undefined) return running
  const search = untilAborted(stopSignalOf(member), useCoordinator(member)).then((isFound) => isFound === true)
  searches.set(member, search)
  const end = () => void searches.delete(member)
  search.then(end, end)
  return search
}

async function useCoordinator(member: Member): Promise<boolean> {
  const { groupId, cluster, offsetManager } = member
  const coordinator = await cluster.findGroupCoordinator({ groupId })
  member.coordinator = coordinator
  if (offsetManager !== null) offsetManager.coordinator = coordinator
  return true
}
