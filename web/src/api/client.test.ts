import { expect, test } from 'vitest'
import type { RefreshedTokens } from '@tapeline/contracts/identity/http'
import { ApiError } from './api-error.ts'
import { lockAcrossTabs } from './across-tabs.ts'
import { createClient, isRetryable } from './client.ts'

type ReceivedRequest = { method: string; path: string; authorization: string | null; body: unknown }

/** A server whose answers are decided per request; it records the requests. */
function serverThat(answer: (received: ReceivedRequest) => Response | Promise<Response>) {
  const requests: ReceivedRequest[] = []
  const fetchFrom = async (input: unknown, init?: RequestInit): Promise<Response> => {
    const url = new URL(String(input))
    const received: ReceivedRequest = {
      method: init?.method ?? 'GET',
      path: url.pathname + url.search,
      authorization: new Headers(init?.headers).get('authorization'),
      body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined,
    }
    requests.push(received)
    init?.signal?.throwIfAborted()
    return answer(received)
  }
  return { requests, fetchFrom }
}

function clientOf(
  answer: (received: ReceivedRequest) => Response | Promise<Response>,
  stored?: { tokens: RefreshedTokens | undefined },
) {
  const session = stored ?? { tokens: { jwtToken: 'first', refreshToken: 'r1', expiresAt: 1 } }
  const server = serverThat(answer)
  let ended = 0
  const client = createClient({
    baseUrl: 'http://api.test',
    fetch: server.fetchFrom,
    tokens: {
      read: () => session.tokens,
      readUser: () => undefined,
      renew: (tokens) => void (session.tokens = tokens),
    },
    withLock: lockAcrossTabs(undefined),
    onSessionEnded: () => void (ended += 1),
  })
  return { client, session, requests: server.requests, endings: () => ended }
}

const json = (status: number, body: unknown, headers?: Record<string, string>): Response =>
  new Response(JSON.stringify(body), {
    status,
    statusText: `Status text ${status}`,
    ...(headers === undefined ? {} : { headers }),
  })

const done = (data: unknown): Response => json(200, { success: true, message: 'Done', data })

const renewal = (number: number): Response =>
  done({ jwtToken: `token-${number}`, refreshToken: `r${number}`, expiresAt: 2 })

test('a dashboard call returns the `data` of the answer', async () => {
  const { client, requests } = clientOf(() => done({ apiKeys: [] }))
  expect(await client.data({ path: '/api/v1/internal/api-keys', query: { limit: 5, cursor: undefined } })).toEqual({
    apiKeys: [],
  })
  expect(requests).toEqual([
    { method: 'GET', path: '/api/v1/internal/api-keys?limit=5', authorization: 'Bearer first', body: undefined },
  ])
})

test.each([
  [
    'the first error detail',
    { errors: [{ field: '/email', message: 'Not an address.' }], message: 'No' },
    'Not an address.',
  ],
  ['the message without details', { errors: [], message: 'Signup failed' }, 'Signup failed'],
  ['the status text without a message', {}, 'Status text 400'],
])('a failure has the message %s', async (_, body, message) => {
  const { client } = clientOf(() => json(400, body))
  await expect(client.data({ path: '/x' })).rejects.toMatchObject({ name: 'ApiError', status: 400, message })
})

test('only a call that outlives its page is kept alive by the browser', async () => {
  const kept: (boolean | undefined)[] = []
  const fetchFrom = async (_input: unknown, init?: RequestInit): Promise<Response> => {
    kept.push(init?.keepalive)
    return done('fine')
  }
  const client = createClient({
    baseUrl: '',
    fetch: fetchFrom,
    tokens: { readUser: () => undefined, read: () => undefined, renew: () => undefined },
    withLock: lockAcrossTabs(undefined),
    onSessionEnded: () => undefined,
  })
  await client.data({ path: '/x', method: 'PUT', outlivesPage: true })
  await client.data({ path: '/x', method: 'PUT' })
  expect(kept).toEqual([true, false])
})

test('a failure has the code, request id, fields and Retry-After', async () => {
  const problem = {
    code: 'limit.minute_exceeded',
    message: 'Too many.',
    request_id: 'abc',
    errors: [{ field: '/name', message: 'Too many.' }],
  }
  const { client } = clientOf(() => json(429, problem, { 'retry-after': '7' }))
  const error = await client.data({ path: '/x' }).catch((failure: unknown) => failure)
  if (!(error instanceof ApiError)) throw new Error('expected an ApiError')
  expect(error).toMatchObject({ code: 'limit.minute_exceeded', requestId: 'abc', retryAfterS: 7 })
  expect(error.messageFor('name')).toBe('Too many.')
})

test('an answer that is not JSON is still a failure with its status', async () => {
  const { client } = clientOf(
    () => new Response('<html>', { status: 502, statusText: 'Bad Gateway', headers: { 'x-request-id': 'r-9' } }),
  )
  await expect(client.data({ path: '/x' })).rejects.toMatchObject({
    status: 502,
    message: 'Bad Gateway',
    requestId: 'r-9',
  })
})

test('a page in place of the API is no answer of the API', async () => {
  const { client } = clientOf(() => new Response('<html>Sign in to the network</html>'))
  await expect(client.data({ path: '/x' })).rejects.toMatchObject({ status: 0, code: 'network.unreachable' })
})

test('success: false with a 2xx status is a failure', async () => {
  const { client } = clientOf(() => json(200, { success: false, message: 'Not today' }))
  await expect(client.data({ path: '/x' })).rejects.toMatchObject({ message: 'Not today' })
})

test('no answer and a slow answer are distinguished', async () => {
  const unreachable = clientOf(() => {
    throw new TypeError('fetch failed')
  })
  await expect(unreachable.client.data({ path: '/x' })).rejects.toMatchObject({
    status: 0,
    code: 'network.unreachable',
  })
  const slow = clientOf(() => {
    throw new DOMException('late', 'TimeoutError')
  })
  await expect(slow.client.data({ path: '/x' })).rejects.toMatchObject({ status: 0, code: 'network.timed_out' })
})

test('a rejected token is renewed once, and the call is repeated with the new one', async () => {
  const { client, session, requests, endings } = clientOf(({ path, authorization }) => {
    if (path.endsWith('/refresh')) return renewal(2)
    return authorization === 'Bearer token-2' ? done('fine') : json(401, { message: 'Expired' })
  })
  expect(await client.data({ path: '/x' })).toBe('fine')
  expect(requests.map(({ path }) => path)).toEqual(['/x', '/api/v1/internal/user/refresh', '/x'])
  expect(requests[1]).toMatchObject({ method: 'POST', body: { refreshToken: 'r1' }, authorization: null })
  expect(session.tokens).toEqual({ jwtToken: 'token-2', refreshToken: 'r2', expiresAt: 2 })
  expect(endings()).toBe(0)
})

test('many calls rejected at the same time use the refresh token once', async () => {
  const { client, requests } = clientOf(({ path, authorization }) => {
    if (path.endsWith('/refresh')) return renewal(2)
    return authorization === 'Bearer token-2' ? done('fine') : json(401, {})
  })
  await Promise.all(Array.from({ length: 6 }, () => client.data({ path: '/x' })))
  expect(requests.filter(({ path }) => path.endsWith('/refresh'))).toHaveLength(1)
})

test('a token that another tab has renewed is used without a refresh', async () => {
  const stored = { tokens: { jwtToken: 'first', refreshToken: 'r1', expiresAt: 1 } }
  const { client, requests } = clientOf(({ authorization }) => {
    if (authorization === 'Bearer other-tab') return done('fine')
    stored.tokens = { jwtToken: 'other-tab', refreshToken: 'r7', expiresAt: 3 }
    return json(401, {})
  }, stored)
  expect(await client.data({ path: '/x' })).toBe('fine')
  expect(requests.some(({ path }) => path.endsWith('/refresh'))).toBe(false)
})

test('the session ends when the refresh token is rejected', async () => {
  const { client, endings } = clientOf(() => json(401, { message: 'Sign in again.' }))
  await expect(client.data({ path: '/x' })).rejects.toMatchObject({ status: 401 })
  expect(endings()).toBe(1)
})

test('a rejected call of a session whose token is gone ends the session, without a refresh', async () => {
  const { client, requests, endings } = clientOf(() => json(401, {}), { tokens: undefined })
  await expect(client.data({ path: '/x' })).rejects.toMatchObject({ status: 401 })
  expect([requests.map(({ path }) => path), endings()]).toEqual([['/x'], 1])
})

test.each([429, 500, 503])('a refresh that gets a %i does not end the session', async (status) => {
  const { client, session, endings } = clientOf(({ path }) => json(path.endsWith('/refresh') ? status : 401, {}))
  await expect(client.data({ path: '/x' })).rejects.toMatchObject({ status })
  expect(endings()).toBe(0)
  expect(session.tokens?.jwtToken).toBe('first')
})

test('a refresh in progress does not undo a sign-out', async () => {
  const stored: { tokens: RefreshedTokens | undefined } = {
    tokens: { jwtToken: 'first', refreshToken: 'r1', expiresAt: 1 },
  }
  const { client } = clientOf(({ path }) => {
    if (!path.endsWith('/refresh')) return json(401, {})
    stored.tokens = undefined
    return renewal(2)
  }, stored)
  await expect(client.data({ path: '/x' })).rejects.toMatchObject({ status: 401 })
  expect(stored.tokens).toBeUndefined()
})

test('a 401 to a call with its own credential neither refreshes nor ends the session', async () => {
  const { client, requests, endings } = clientOf(() => json(401, {}))
  await expect(client.send({ path: '/x', credential: { bearer: 'tl_live_x' } })).rejects.toMatchObject({ status: 401 })
  await expect(client.send({ path: '/y', credential: 'none' })).rejects.toMatchObject({ status: 401 })
  expect(requests.map(({ authorization }) => authorization)).toEqual(['Bearer tl_live_x', null])
  expect(endings()).toBe(0)
})

test('a call without an answer is repeated, a call that timed out is not', () => {
  const failure = (status: number, code: string) => new ApiError({ status, code, message: '' })
  expect([failure(0, 'network.unreachable'), failure(502, ''), failure(503, '')].every(isRetryable)).toBe(true)
  expect([failure(0, 'network.timed_out'), failure(504, ''), failure(404, ''), new Error('')].some(isRetryable)).toBe(
    false,
  )
})

test('a stream is opened with the session and its own headers, and reopened after a token refresh', async () => {
  const { client, requests } = clientOf(({ path, authorization }) => {
    if (path.endsWith('/refresh')) return renewal(1)
    return authorization === 'Bearer first' ? json(401, {}) : new Response('event: open\n\n')
  })
  const response = await client.open({ path: '/events', headers: { 'last-event-id': '1.2.3' } })
  expect(await response.text()).toBe('event: open\n\n')
  expect(requests.map(({ authorization }) => authorization)).toEqual(['Bearer first', null, 'Bearer token-1'])
})

test('a stream that cannot be opened reports the reason, like every call', async () => {
  const { client } = clientOf(() => json(403, { code: 'tier.feature_not_included', message: 'Basic includes it.' }))
  await expect(client.open({ path: '/export' })).rejects.toMatchObject({
    status: 403,
    code: 'tier.feature_not_included',
    message: 'Basic includes it.',
  })
})
