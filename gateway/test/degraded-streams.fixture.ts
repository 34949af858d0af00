import { waitUntil } from '@tapeline/testing/wait-until'
import { expect } from 'vitest'
import type { TestAccount } from './account.fixture.ts'
import { type DegradedWorld, observe, RECOVERY_MS, until } from './degraded.fixture.ts'

const STREAM = '/api/v1/stream'
const OPEN_FOR_MS = 300

type OpenEvents = {
  /** Nothing has ended it for some time. */
  isOpen: () => Promise<boolean>
  /** What it receives until it ends. */
  remaining: () => Promise<string>
  close: () => true
}

/** Server-sent events that the service holds open. */
async function openEvents({ apiKey }: TestAccount, { edge, gateway }: DegradedWorld): Promise<OpenEvents> {
  const answerOthers = edge.upstream
  edge.upstream = (_request, reply) => {
    reply.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: heartbeat\ndata: {}\n\n')
  }
  const controller = new AbortController()
  const headers = { 'x-api-key': apiKey }
  const response = await fetch(gateway.url + STREAM, { headers, signal: controller.signal }).finally(
    () => (edge.upstream = answerOthers),
  )
  if (response.status !== 200) throw new Error(`the stream gets ${response.status}`)
  const remaining = response.text().catch(() => 'cut')
  return {
    isOpen: () =>
      Promise.race([remaining.then(() => false), new Promise<true>((yes) => setTimeout(yes, OPEN_FOR_MS, true))]),
    remaining: () => remaining,
    close() {
      controller.abort()
      return true
    },
  }
}

/** Open streams of the account by the gateway's report. */
async function streamsOf({ apiKey }: TestAccount, { gateway }: DegradedWorld): Promise<number> {
  const response = await fetch(`${gateway.url}/api/v1/limits`, { headers: { 'x-api-key': apiKey } })
  const { data } = (await response.json()) as { data: { stream: { connections: { used: number } } } }
  return data.stream.connections.used
}

const unavailable = { status: 503, code: 'service.unavailable', retryAfter: '1' }

export async function streamsWithoutRedis(world: DegradedWorld, account: TestAccount): Promise<void> {
  const { gateway, wires } = world
  const init = { headers: { 'x-api-key': account.apiKey } }
  const another = () => observe(gateway.url + STREAM, init)
  const first = await openEvents(account, world)
  expect(await another()).toMatchObject({ code: 'limit.stream_connections_exceeded', isDegraded: false })
  wires.redis.setFault('refuse')
  await until(another, { code: 'limit.stream_connections_exceeded', isDegraded: true })
  expect(await observe(`${gateway.url}${STREAM}/tickets`, { ...init, method: 'POST' })).toMatchObject(unavailable)
  expect(await first.isOpen()).toBe(true)
  wires.redis.setFault('pass')
  await until(() => observe(`${gateway.url}/api/v1/limits`, init), { status: 200, isDegraded: false })
  const isUsed = (used: number) => async () => (await streamsOf(account, world)) === used
  await waitUntil('Redis has the lease of the open stream', isUsed(1), RECOVERY_MS)
  first.close()
  await waitUntil('the slot is free', isUsed(0), RECOVERY_MS)
}

export async function streamsWithoutService(world: DegradedWorld, account: TestAccount): Promise<void> {
  const { gateway, wires } = world
  const stream = await openEvents(account, world)
  wires['market-data'].setFault('refuse')
  expect(await stream.remaining()).toMatch(
    /event: error\ndata: .*upstream.unavailable.*\n\nevent: goodbye\ndata: .*restart/,
  )
  await until(() => observe(gateway.url + STREAM, { headers: { 'x-api-key': account.apiKey } }), unavailable)
  wires['market-data'].setFault('pass')
  const opens = async () => (await openEvents(account, world)).close()
  await waitUntil('streams open again', () => opens().catch(() => false), RECOVERY_MS)
}
