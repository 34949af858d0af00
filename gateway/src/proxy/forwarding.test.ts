import { ACTOR_HEADER, verifyActorToken } from '@tapeline/service/actor-token'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addAccount, addKey, type TestAccount } from '../../test/account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../test/gateway.fixture.ts'
import { nextServedRequest } from '../../test/served-request.fixture.ts'

const LIST = '/api/v1/trades/list'
const BODY_BYTES_MAX = 200_000

let edge: Edge
let gateway: TestGateway
let account: TestAccount

beforeAll(async () => {
  edge = await startEdge()
  gateway = await startTestGateway(edge, { BODY_BYTES_MAX: String(BODY_BYTES_MAX) })
})
beforeEach(() => {
  account = addAccount(edge)
})
afterAll(async () => {
  await gateway.stop()
  await edge.stop()
})

const withKey = (headers: Record<string, string> = {}) => ({ authorization: `Bearer ${account.apiKey}`, ...headers })
const lastUsage = () =>
  waitUntil('the event is there', () => gateway.usage().findLast(({ account_id }) => account_id === account.id))

const echo = () => nextServedRequest(edge)

test('no client can set its identity, and the service receives it in a signed token', async () => {
  const received = echo()
  const forged = {
    'x-user-id': 'admin',
    'x-actor': 'forged',
    'x-actor-role': 'admin',
    x_actor: 'forged',
    X_User_Id: 'admin',
    'x-internal-key': 'forged',
    forwarded: 'for=10.0.0.1',
    'x-forwarded-for': '10.0.0.1',
    'x-client-network': '10.0.0.0/24',
    'x-request-id': '0'.repeat(32),
    traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`,
    'x-deadline-ms': '999999',
    'x-api-key': account.apiKey,
    'x-custom': 'kept',
  }
  const response = await fetch(`${gateway.url}${LIST}?page=1`, { headers: forged })
  const { headers, url } = await received
  expect(url).toBe(`${LIST}?page=1`)
  const names = [
    'x-user-id',
    'x-actor-role',
    'x_actor',
    'x_user_id',
    'x-internal-key',
    'forwarded',
    'x-forwarded-for',
    'x-api-key',
    'authorization',
  ]
  for (const name of names) expect(headers[name], name).toBeUndefined()
  expect(headers['x-custom']).toBe('kept')
  expect(headers['x-client-network']).toBe('127.0.0.0/24')
  expect(headers['x-request-id']).toBe(response.headers.get('x-request-id'))
  expect(headers.traceparent).toMatch(new RegExp(`^00-${response.headers.get('x-request-id')}-[0-9a-f]{16}-0[01]$`))
  expect(Number(headers['x-deadline-ms'])).toBeLessThanOrEqual(2_000)
  const verified = verifyActorToken(testInternalKeys, {
    token: String(headers[ACTOR_HEADER]),
    audience: 'market-data',
    nowMs: Date.now(),
  })
  const keyId = edge.keys.get(account.kid)?.key_id
  expect(verified?.actor).toMatchObject({
    kind: 'user',
    userId: account.id,
    role: 'user',
    tier: 'pro',
    keyId,
    sessionId: null,
  })
})

test('a client that disconnects ends the call to the service, and its event is aborted', async () => {
  const disconnected = new Promise<void>((resolve) => {
    edge.upstream = (request, reply) => {
      request.on('close', () => resolve())
      reply.writeHead(200)
      const timer = setInterval(() => reply.write('more'), 10)
      reply.on('close', () => clearInterval(timer))
    }
  })
  const controller = new AbortController()
  const response = await fetch(`${gateway.url}${LIST}`, { headers: withKey(), signal: controller.signal })
  expect(response.status).toBe(200)
  controller.abort()
  await disconnected
  expect(await lastUsage()).toMatchObject({ outcome: 'aborted', status: 200 })
})

test('a client that disconnects before the answer is counted once as aborted', async () => {
  const reached = new Promise<void>((resolve) => {
    edge.upstream = () => resolve()
  })
  const controller = new AbortController()
  const pending = fetch(`${gateway.url}${LIST}`, { headers: withKey(), signal: controller.signal }).catch(() => {})
  await reached
  controller.abort()
  await pending
  expect(await lastUsage()).toMatchObject({ outcome: 'aborted', status: 499 })
})

test('an answer that the service does not complete is not complete for the client, and only what was sent is recorded', async () => {
  let breakOff = (): void => {}
  // The gateway holds the newest chunk back: the client has its first bytes after several.
  edge.upstream = (_request, reply) => {
    reply.writeHead(200, { 'content-length': '1000000', 'x-rows-returned': '1000' })
    const writing = setInterval(() => reply.write('a part'), 20)
    reply.on('close', () => clearInterval(writing))
    breakOff = () => reply.destroy()
  }
  const response = await fetch(`${gateway.url}${LIST}`, { headers: withKey() })
  let received = 0
  const read = async () => {
    for await (const piece of response.body ?? []) {
      received += piece.length
      breakOff()
    }
  }
  await expect(read()).rejects.toThrow()
  const failed = { status: 502, outcome: 'server_error', code: 'upstream.unavailable', rows_returned: null }
  expect(await lastUsage()).toMatchObject({ ...failed, bytes_out: received })
})

test('of an answer to HEAD, no bytes are recorded, also of a problem', async () => {
  const { apiKey } = addKey(edge, account, { scopes: [] })
  const response = await fetch(`${gateway.url}${LIST}`, { method: 'HEAD', headers: { 'x-api-key': apiKey } })
  expect([response.status, await response.text()]).toEqual([403, ''])
  expect(await lastUsage()).toMatchObject({ status: 403, method: 'HEAD', bytes_out: 0 })
})

test('an answer that breaks off before anything was sent to the client is a 502, and its rows are not recorded', async () => {
  edge.upstream = (_request, reply) => {
    reply.writeHead(200, { 'content-length': '100', 'x-rows-returned': '1000' })
    reply.write('a part')
    setTimeout(() => reply.destroy(), 20)
  }
  const response = await fetch(`${gateway.url}${LIST}`, { headers: withKey() })
  const text = await response.text()
  expect([response.status, JSON.parse(text)]).toMatchObject([502, { code: 'upstream.unavailable' }])
  const failed = { status: 502, outcome: 'server_error', code: 'upstream.unavailable' }
  expect(await lastUsage()).toMatchObject({ ...failed, rows_returned: null, bytes_out: text.length })
})

test('an answer that is not complete at its deadline is a 504, and its rows are not recorded', async () => {
  edge.upstream = (_request, reply) => {
    reply.writeHead(200, { 'content-length': '100', 'x-rows-returned': '1000' })
    reply.write('a part')
  }
  const response = await fetch(`${gateway.url}${LIST}`, { headers: withKey() })
  expect([response.status, await response.json()]).toMatchObject([504, { code: 'upstream.timed_out' }])
  const failed = { status: 504, outcome: 'server_error', code: 'upstream.timed_out' }
  expect(await lastUsage()).toMatchObject({ ...failed, rows_returned: null })
})

test('a rejection that breaks off is recorded without the fields that it named', async () => {
  edge.upstream = (_request, reply) => {
    const named = { 'x-error-code': 'request.invalid', 'x-error-fields': '[{"field":"limit"}]' }
    reply.writeHead(400, { 'content-length': '100', ...named })
    reply.write('a part')
    setTimeout(() => reply.destroy(), 20)
  }
  const response = await fetch(`${gateway.url}${LIST}`, { headers: withKey() })
  expect([response.status, await response.json()]).toMatchObject([502, { code: 'upstream.unavailable' }])
  const usage = await lastUsage()
  expect(usage).toMatchObject({ status: 502, code: 'upstream.unavailable' })
  expect(usage).not.toHaveProperty('rejected_fields')
})

test('a service that takes too long is a 504, with its event', async () => {
  edge.upstream = () => {}
  const response = await fetch(`${gateway.url}${LIST}`, { headers: withKey() })
  expect([response.status, await response.json()]).toMatchObject([504, { code: 'upstream.timed_out' }])
  expect(await lastUsage()).toMatchObject({ status: 504, outcome: 'server_error', code: 'upstream.timed_out' })
})

test('streamed rows may take longer than the deadline of a page', async () => {
  edge.upstream = (_request, reply) => {
    reply.writeHead(200, { 'content-type': 'application/x-ndjson' })
    const writing = setInterval(() => reply.write('{}\n'), 200)
    setTimeout(() => {
      clearInterval(writing)
      reply.end('{"next_cursor":null}\n')
    }, 3_500)
  }
  const response = await fetch(`${gateway.url}${LIST}`, { headers: withKey() })
  expect((await response.text()).endsWith('{"next_cursor":null}\n')).toBe(true)
  expect(await lastUsage()).toMatchObject({ status: 200, outcome: 'ok' })
})

test('a service that breaks the connection is a 502', async () => {
  edge.upstream = (request) => request.socket.destroy()
  const response = await fetch(`${gateway.url}${LIST}`, { method: 'POST', headers: withKey(), body: '{}' })
  expect([response.status, await response.json()]).toMatchObject([
    502,
    { code: 'upstream.unavailable', success: false },
  ])
})
