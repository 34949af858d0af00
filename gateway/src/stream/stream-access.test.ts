import { apiKeyRevoked } from '@tapeline/contracts/api-key/events'
import { subscriptionChanged } from '@tapeline/contracts/config/events'
import { type EventDefinition, newEvent } from '@tapeline/contracts/event'
import type { LimitsReport } from '@tapeline/contracts/gateway/http'
import { sessionEnded } from '@tapeline/contracts/identity/events'
import { setTimeout as delay } from 'node:timers/promises'
import { createKafka } from '@tapeline/events/kafka'
import { send } from '@tapeline/testing/api-client'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { Redis } from 'ioredis'
import type { Static, TSchema } from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessTokenFor, addAccount, addKey, type TestAccount } from '../../test/account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../test/gateway.fixture.ts'
import { openStream, rejectedStream } from '../../test/stream-client.fixture.ts'
import { startStreamService, type StreamService } from '../../test/stream-service.fixture.ts'

const STREAM = '/api/v1/stream'
const ACTOR = { kind: 'service', service: 'config' } as const
const OTHERS = { time: new Date(), subject: 'test', account: null, actor: ACTOR }
/** What the platform promises; a busy test machine gets more. */
const APPLIES_WITHIN_MS = 3_000

const kafka = createKafka({ brokers: testServers().kafkaBrokers, clientId: 'stream-access-test', log: silentLogger })
const producer = kafka.producer()
let edge: Edge
let service: StreamService
let gateway: TestGateway
let redis: Redis

beforeAll(async () => {
  edge = await startEdge()
  service = await startStreamService()
  gateway = await startTestGateway(edge, { MARKET_DATA_URL: service.url })
  redis = new Redis(testServers().redisUrl)
  await producer.connect()
  for (const change of [revoke, endSession, changePlan]) await untilClosed(change)
})
afterAll(async () => {
  await producer.disconnect()
  redis.disconnect()
  await gateway.stop()
  await service.stop()
  await edge.stop()
})

const open = (headers: Record<string, string>) => openStream(gateway.url + STREAM, headers)
const SESSION = 'session-of-the-stream'
const bySession = ({ id }: { id: string }) => ({ authorization: `Bearer ${accessTokenFor(id, { sid: SESSION })}` })
const byKey = ({ apiKey }: { apiKey: string }) => ({ 'x-api-key': apiKey })

async function publish<T extends TSchema>(definition: EventDefinition<T>, data: Static<T>): Promise<void> {
  const event = newEvent(definition, { id: crypto.randomUUID(), ...OTHERS, data })
  const topic = gateway.topicPrefix + definition.topic
  await producer.send({ topic, messages: [{ value: JSON.stringify(event) }] })
}

async function revoke(account: TestAccount): Promise<void> {
  const record = edge.keys.get(account.kid)
  if (record === undefined) throw new Error('no such key')
  edge.keys.set(account.kid, { ...record, state: 'revoked', version: 2 })
  await publish(apiKeyRevoked, {
    key_id: record.key_id,
    kid: account.kid,
    account_id: account.id,
    name: '',
    version: 2,
  })
}

async function endSession({ id }: TestAccount): Promise<void> {
  const record = edge.accounts.get(id)
  if (record === undefined) throw new Error('no such account')
  edge.accounts.set(id, { ...record, ended_session_ids: [SESSION], version: 2 })
  await publish(sessionEnded, { user_id: id, session_id: SESSION, reason: 'signed_out', version: 2 })
}

async function changePlan(account: TestAccount): Promise<void> {
  const { version, tier } = setLimits(account, { streamMessagesPerSecond: 7 })
  const fact = { tier, rate_limits: null, time_zone: 'UTC', trial_ends_at: null, tier_after_trial: null }
  await publish(subscriptionChanged, { account_id: account.id, before: fact, after: fact, version, reason: null })
}

/** The gateway's consumer joins each topic some time after the gateway serves. */
async function untilClosed(change: (account: TestAccount) => Promise<void>): Promise<void> {
  for (let isClosed = false; !isClosed;) {
    const account = addAccount(edge)
    const { socket, closed } = await open(change === endSession ? bySession(account) : byKey(account))
    await change(account)
    isClosed = await Promise.race([closed.then(() => true), delay(500, false)])
    socket.terminate()
  }
}

function setLimits(account: TestAccount, limits: { streamConnections?: number; streamMessagesPerSecond?: number }) {
  const record = edge.subscriptions.get(account.id)
  if (record?.rate_limits === null || record === undefined) throw new Error('no such account')
  const version = record.version + 1
  const rate_limits = { ...record.rate_limits, ...limits }
  edge.subscriptions.set(account.id, { ...record, version, rate_limits })
  return { ...record, version, rate_limits }
}

function withLimit(connections: number): TestAccount {
  const account = addAccount(edge)
  setLimits(account, { streamConnections: connections })
  return account
}

test.each([
  ['a revoked key', revoke, { code: 4401, reason: 'api_key.revoked' }, 'access_ended'],
  ['an ended session', endSession, { code: 4401, reason: 'session.ended' }, 'access_ended'],
  ['a changed plan', changePlan, { code: 1001, reason: 'service.unavailable' }, 'restart'],
] as const)('%s ends the stream with the reason, and no other stream', async (_what, change, end, reason) => {
  const account = addAccount(edge)
  const stream = await open(change === endSession ? bySession(account) : byKey(account))
  const other = await open(change === changePlan ? byKey(addAccount(edge)) : byKey(addKey(edge, account)))
  const startedMs = performance.now()
  await change(account)
  expect(await stream.closed).toEqual(end)
  expect(performance.now() - startedMs).toBeLessThan(APPLIES_WITHIN_MS)
  expect(stream.messages.map((text) => JSON.parse(text))).toMatchObject([
    { type: 'error', problem: { code: end.reason } },
    { type: 'goodbye', reason },
  ])
  expect(other.socket.readyState).toBe(other.socket.OPEN)
  other.socket.close()
})

test('the plan bounds the connections of an account, over its keys and sessions', async () => {
  const account = withLimit(2)
  const first = await open(byKey(account))
  const second = await open({ authorization: `Bearer ${account.accessToken}` })
  const { status, body, headers } = await rejectedStream(gateway.url + STREAM, byKey(addKey(edge, account)))
  expect([status, body.code, body.limit]).toEqual([429, 'limit.stream_connections_exceeded', 2])
  expect(headers['retry-after']).toBe('1')
  const report = await send<{ data: LimitsReport }>(`${gateway.url}/api/v1/limits`, { token: account.apiKey })
  expect(report.body.data.stream.connections).toEqual({ used: 2, limit: 2, remaining: 0 })
  first.socket.close()
  await waitUntil('the slot is free', async () => (await redis.zcard(`streams:{${account.id}}`)) === 1)
  const third = await open(byKey(account))
  for (const { socket } of [second, third]) socket.terminate()
  await waitUntil('all slots are free', async () => (await redis.exists(`streams:{${account.id}}`)) === 0)
})

test('a stream holds no slot of concurrent requests', async () => {
  const account = withLimit(2)
  const { socket } = await open(byKey(account))
  const report = await send<{ data: LimitsReport }>(`${gateway.url}/api/v1/limits`, { token: account.apiKey })
  expect(report.body.data.windows.find(({ policy }) => policy === 'conc')?.used).toBe(0)
  socket.close()
})

test('the limit of messages is passed to the service, and the client cannot set it', async () => {
  const account = addAccount(edge)
  setLimits(account, { streamMessagesPerSecond: 33 })
  const seen: unknown[] = []
  service.onOpen = (_socket, { headers }) => seen.push(headers['x-stream-messages-per-second'])
  const { socket } = await open({ ...byKey(account), 'x-stream-messages-per-second': '0' })
  await waitUntil('the service has it', () => seen.length === 1)
  expect(seen).toEqual(['33'])
  socket.close()
})

test('a service that rejects the stream frees its slot, and its problem is passed on', async () => {
  const account = withLimit(1)
  service.onRequest = (_request, reply) => {
    reply.writeHead(400, { 'content-type': 'application/problem+json', 'x-error-code': 'filter.invalid' })
    reply.end('{"code":"filter.invalid"}')
  }
  for (let n = 0; n < 3; n += 1) {
    const response = await fetch(gateway.url + STREAM, { headers: byKey(account) })
    expect([response.status, await response.json()]).toEqual([400, { code: 'filter.invalid' }])
    await waitUntil('the slot is free', async () => (await redis.exists(`streams:{${account.id}}`)) === 0)
  }
})
