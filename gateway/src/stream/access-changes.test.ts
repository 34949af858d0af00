import { apiKeyRevoked, apiKeyUpdated } from '@tapeline/contracts/api-key/events'
import { subscriptionChanged } from '@tapeline/contracts/config/events'
import { type EventDefinition, newEvent } from '@tapeline/contracts/event'
import { sessionEnded, statusChanged } from '@tapeline/contracts/identity/events'
import { type BroadcastConsumer, startBroadcastConsumer } from '@tapeline/events/broadcast-consumer'
import { setTimeout as delay } from 'node:timers/promises'
import { createKafka } from '@tapeline/events/kafka'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import type { Static, TSchema } from 'typebox'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { accessTokenFor, addAccount, addKey, type TestAccount } from '../../test/account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../test/gateway.fixture.ts'
import { openStream } from '../../test/stream-client.fixture.ts'
import { startStreamService, type StreamService } from '../../test/stream-service.fixture.ts'

vi.setConfig({ testTimeout: 240_000 })
const ACTOR = { kind: 'service', service: 'config' } as const
const OTHERS = { time: new Date(), subject: 'test', account: null, actor: ACTOR }
/** The first periodic check would end a stream this long after it was opened: what ended it earlier was the event. */
const FIRST_CHECK_MS = 4_000
/** An event that arrives later proves nothing, because Kafka was slow: the periodic check may come first. */
const ARRIVES_WITHIN_MS = FIRST_CHECK_MS - 1_000
const PATIENCE_MS = 90_000
const SESSION = 'session-of-the-stream'

const kafka = createKafka({ brokers: testServers().kafkaBrokers, clientId: 'access-changes-test', log: silentLogger })
const producer = kafka.producer()
/** When each event arrived in this process. */
const arrivals = new Map<string, number>()
let probe: BroadcastConsumer
let edge: Edge
let service: StreamService
let gateway: TestGateway

beforeAll(async () => {
  edge = await startEdge()
  service = await startStreamService()
  gateway = await startTestGateway(edge, { MARKET_DATA_URL: service.url })
  await producer.connect()
  probe = startBroadcastConsumer({
    kafka,
    name: `${gateway.topicPrefix}probe`,
    topics: ['identity', 'api-key', 'config'].map((name) => gateway.topicPrefix + name),
    onMessage: (value) => arrivals.set(JSON.parse(String(value)).id, performance.now()),
    log: silentLogger,
  })
  await probe.joined
  for (const change of [revokeKey, endSession, changePlan]) await untilClosed(change)
})
afterAll(async () => {
  await probe.stop()
  await producer.disconnect()
  await gateway.stop()
  await service.stop()
  await edge.stop()
})

const open = (headers: Record<string, string>) => openStream(`${gateway.url}/api/v1/stream`, headers)
const bySession = ({ id }: { id: string }) => ({ authorization: `Bearer ${accessTokenFor(id, { sid: SESSION })}` })
const byKey = ({ apiKey }: { apiKey: string }) => ({ 'x-api-key': apiKey })

/** Returns the id of the event. */
async function publish<T extends TSchema>(definition: EventDefinition<T>, data: Static<T>): Promise<string> {
  const event = newEvent(definition, { id: crypto.randomUUID(), ...OTHERS, data })
  const topic = gateway.topicPrefix + definition.topic
  await producer.send({ topic, messages: [{ value: JSON.stringify(event) }] })
  return event.id
}

function setKey(account: TestAccount, change: { state?: 'revoked'; scopes?: ['trades:read'] }) {
  const record = edge.keys.get(account.kid)
  if (record === undefined) throw new Error('no such key')
  edge.keys.set(account.kid, { ...record, ...change, version: 2 })
  return { key_id: record.key_id, kid: account.kid, account_id: account.id, name: '', version: 2 }
}

const revokeKey = (account: TestAccount) => publish(apiKeyRevoked, setKey(account, { state: 'revoked' }))

async function removeScope(account: TestAccount): Promise<string> {
  const fact = setKey(account, { scopes: ['trades:read'] })
  return publish(apiKeyUpdated, { ...fact, before: { scopes: ['stream:read'] }, after: { scopes: ['trades:read'] } })
}

async function endSession({ id }: TestAccount): Promise<string> {
  const record = edge.accounts.get(id)
  if (record === undefined) throw new Error('no such account')
  edge.accounts.set(id, { ...record, ended_session_ids: [SESSION], version: 2 })
  return publish(sessionEnded, { user_id: id, session_id: SESSION, reason: 'signed_out', version: 2 })
}

async function deactivate({ id }: TestAccount): Promise<string> {
  const record = edge.accounts.get(id)
  if (record === undefined) throw new Error('no such account')
  edge.accounts.set(id, { ...record, status: 'inactive', version: 2 })
  return publish(statusChanged, {
    user_id: id,
    before: { status: 'active' },
    after: { status: 'inactive' },
    version: 2,
  })
}

async function changePlan({ id }: TestAccount): Promise<string> {
  const record = edge.subscriptions.get(id)
  if (record?.rate_limits === null || record === undefined) throw new Error('no such account')
  const rate_limits = { ...record.rate_limits, streamMessagesPerSecond: 7 }
  edge.subscriptions.set(id, { ...record, version: 2, rate_limits })
  const fact = { tier: record.tier, rate_limits: null, time_zone: 'UTC', trial_ends_at: null, tier_after_trial: null }
  return publish(subscriptionChanged, { account_id: id, before: fact, after: fact, version: 2, reason: null })
}

/** The gateway's consumer joins each topic some time after the gateway serves. */
async function untilClosed(change: (account: TestAccount) => Promise<string>): Promise<void> {
  for (let isClosed = false; !isClosed;) {
    const account = addAccount(edge)
    const { socket, closed } = await open(change === endSession ? bySession(account) : byKey(account))
    await change(account)
    isClosed = await Promise.race([closed.then(() => true), delay(500, false)])
    socket.terminate()
  }
}

test.each([
  ['a revoked key', revokeKey, 'api_key.revoked'],
  ['a removed scope', removeScope, 'api_key.scope_missing'],
  ['an ended session', endSession, 'session.ended'],
  ['an inactive account', deactivate, 'credential.invalid'],
  ['a changed plan', changePlan, 'service.unavailable'],
] as const)('%s ends the stream with the reason before a periodic check, and no other stream', async (...row) => {
  const [, change, code] = row
  const deadline = Date.now() + PATIENCE_MS
  let isProven = false
  while (!isProven && Date.now() < deadline) isProven = await endsByEvent(change, code)
  expect(isProven).toBe(true)
})

/** False: the event arrived too late to show that it ended the stream. */
async function endsByEvent(change: (account: TestAccount) => Promise<string>, code: string): Promise<boolean> {
  const account = addAccount(edge)
  const isOfAccount = change === changePlan || change === deactivate
  const beganMs = performance.now()
  const stream = await open(change === endSession ? bySession(account) : byKey(account))
  const closing = stream.closed.then((end) => ({ end, atMs: performance.now() }))
  const other = await open(byKey(isOfAccount ? addAccount(edge) : addKey(edge, account)))
  const id = await change(account)
  const arrivedMs = await waitUntil('the event arrives', () => arrivals.get(id), PATIENCE_MS)
  const { end, atMs } = await closing
  const isRestart = change === changePlan
  expect(end).toEqual({ code: isRestart ? 1001 : 4401, reason: code })
  expect(stream.messages.map((text) => JSON.parse(text))).toMatchObject([
    { type: 'error', problem: { code } },
    { type: 'goodbye', reason: isRestart ? 'restart' : 'access_ended' },
  ])
  expect(other.socket.readyState).toBe(other.socket.OPEN)
  other.socket.close()
  if (arrivedMs - beganMs > ARRIVES_WITHIN_MS) return false
  expect(atMs - beganMs).toBeLessThan(FIRST_CHECK_MS)
  return true
}
