import { setTimeout as delay } from 'node:timers/promises'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterEach, expect, test, vi } from 'vitest'
import { createKafka } from './kafka.ts'
import { type RequestQueue, stopIdleTimers } from './kafkajs-timers.ts'

const IDLE_MS = 500
const { prototype } = stopIdleTimers()
const checked = vi.spyOn(prototype, 'checkPendingRequests')
const scheduled = vi.spyOn(prototype, 'scheduleCheckPendingRequests')

afterEach(() => {
  vi.clearAllMocks()
})

/** A queue of a connected client, and the client's end. */
async function connectedQueue(): Promise<{
  queue: RequestQueue
  disconnect: () => Promise<void>
  listTopics: () => Promise<unknown>
}> {
  // Connections of earlier files of the same process may still be in use.
  const clientId = `idle-${crypto.randomUUID()}`
  const kafka = createKafka({ brokers: testServers().kafkaBrokers, clientId, log: silentLogger })
  const admin = kafka.admin()
  await admin.connect()
  await admin.listTopics()
  const queues = scheduled.mock.contexts as (RequestQueue & { clientId: string })[]
  const queue = queues.findLast((one) => one.clientId === clientId)
  if (queue === undefined) throw new Error('no request was sent')
  return { queue, disconnect: () => admin.disconnect(), listTopics: () => admin.listTopics() }
}

test('an idle connection sets no timer to look for waiting requests', async () => {
  const { queue, disconnect } = await connectedQueue()
  vi.clearAllMocks()
  await delay(IDLE_MS)
  // Connections of earlier files of the same process may still be ending.
  expect(checked.mock.contexts.filter((context) => context === queue)).toEqual([])
  expect(queue.throttleCheckTimeoutId).toBeNull()
  await disconnect()
})

test('requests that wait for the end of a throttle are sent after it', async () => {
  const { queue, disconnect, listTopics } = await connectedQueue()
  const until = Date.now() + IDLE_MS
  queue.throttledUntil = until
  await listTopics()
  expect(Date.now()).toBeGreaterThanOrEqual(until)
  await disconnect()
})

test('a request without a response ends after its timeout', async () => {
  const { queue, disconnect } = await connectedQueue()
  const timeoutRequest = vi.fn<() => boolean>(() => queue.inflight.delete(-1))
  queue.inflight.set(-1, { sentAt: Date.now(), requestTimeout: 1, timeoutRequest })
  await waitUntil('it has ended', () => timeoutRequest.mock.calls.length > 0)
  expect(queue.inflight.size).toBe(0)
  await disconnect()
})
