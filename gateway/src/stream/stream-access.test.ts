import type { LimitsReport } from '@tapeline/contracts/gateway/http'
import { send } from '@tapeline/testing/api-client'
import { startFaultProxy } from '@tapeline/testing/fault-proxy'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccount, addKey, type TestAccount } from '../../test/account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../test/gateway.fixture.ts'
import { openStream, rejectedStream } from '../../test/stream-client.fixture.ts'
import { startStreamService, type StreamService } from '../../test/stream-service.fixture.ts'
import { scripts } from '../limiter/scripts/scripts.ts'

const STREAM = '/api/v1/stream'
let edge: Edge
let service: StreamService
let gateway: TestGateway
let redis: Redis

beforeAll(async () => {
  edge = await startEdge()
  service = await startStreamService()
  gateway = await startTestGateway(edge, { MARKET_DATA_URL: service.url })
  redis = new Redis(testServers().redisUrl)
})
afterAll(async () => {
  redis.disconnect()
  await gateway.stop()
  await service.stop()
  await edge.stop()
})

const open = (headers: Record<string, string>) => openStream(gateway.url + STREAM, headers)
const byKey = ({ apiKey }: { apiKey: string }) => ({ 'x-api-key': apiKey })

function setLimits(account: TestAccount, limits: { streamConnections?: number; streamMessagesPerSecond?: number }) {
  const record = edge.subscriptions.get(account.id)
  if (record?.rate_limits === null || record === undefined) throw new Error('no such account')
  const version = record.version + 1
  const rate_limits = { ...record.rate_limits, ...limits }
  edge.subscriptions.set(account.id, { ...record, version, rate_limits })
}

function withLimit(connections: number): TestAccount {
  const account = addAccount(edge)
  setLimits(account, { streamConnections: connections })
  return account
}

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

test('a stream does not count as a concurrent request', async () => {
  const account = withLimit(2)
  const { socket } = await open(byKey(account))
  const report = await send<{ data: LimitsReport }>(`${gateway.url}/api/v1/limits`, { token: account.apiKey })
  expect(report.body.data.windows.find(({ policy }) => policy === 'conc')?.used).toBe(0)
  socket.close()
})

test('the limit of messages is passed to the service, and the client cannot set it', async () => {
  const account = addAccount(edge)
  setLimits(account, { streamMessagesPerSecond: 33 })
  const received: unknown[] = []
  service.onOpen = (_socket, { headers }) => received.push(headers['x-stream-messages-per-second'])
  const { socket } = await open({ ...byKey(account), 'x-stream-messages-per-second': '0' })
  await waitUntil('the service has it', () => received.length === 1)
  expect(received).toEqual(['33'])
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

test('a stream whose slot is taken while the gateway stops is rejected with a request to reconnect', async () => {
  const { redisUrl } = testServers()
  const between = await startFaultProxy(redisUrl)
  const REDIS_URL = `redis://127.0.0.1:${between.port}`
  const env = { MARKET_DATA_URL: service.url, REDIS_URL, DRAIN_TIMEOUT_MS: '60000' }
  const stopping = await startTestGateway(edge, env)
  const account = addAccount(edge)
  // The slot is taken after a second without a reply of Redis.
  const isTaking = between.silenceNext(scripts.takeSlot.sha)
  const answer = fetch(stopping.url + STREAM, { headers: byKey(account) })
  await isTaking
  await stopping.stop()
  const { status, headers } = await answer
  expect([status, headers.get('retry-after')]).toEqual([503, '1'])
  await between.stop()
})
