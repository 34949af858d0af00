import { listKeysOf, send, signUpUser } from '@tapeline/testing/api-client'
import { beforeAll, expect, test } from 'vitest'
import type { TestAccount } from '@tapeline/testing/api-client'
import { runningPlatform } from '../platform/running-platform.ts'

const { gatewayUrl, webUrl } = runningPlatform()
const EVIL = 'https://evil.example'
/** Requests that a page may send to any origin without a preflight. */
const SIMPLE_TYPES = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']
const CALLS: [string, object][] = [
  ['/api/v1/internal/user/login', { email: 'a@example.com', password: '12345678' }],
  ['/api/v1/internal/user/refresh', { refreshToken: 'x'.repeat(43) }],
  ['/api/v1/internal/api-keys', { name: 'theirs' }],
  ['/api/v1/trades/list', { venues: ['sim'], limit: 1 }],
]
let account: TestAccount

beforeAll(async () => {
  account = await signUpUser(gatewayUrl)
})

test.each(CALLS)('a form post from another site has no effect: %s', async (path, body) => {
  for (const type of SIMPLE_TYPES) {
    for (const origin of [EVIL, 'null', `${webUrl}.evil.example`, gatewayUrl]) {
      const response = await fetch(gatewayUrl + path, {
        method: 'POST',
        headers: {
          'content-type': type,
          origin,
          cookie: `jwtToken=${account.jwtToken}`,
          'sec-fetch-site': 'cross-site',
        },
        body: JSON.stringify(body),
      })
      expect([401, 415]).toContain(response.status)
      expectNoGrant(response)
      await response.body?.cancel()
    }
  }
  expect((await listKeysOf(gatewayUrl, account.jwtToken)).apiKeys).toEqual([])
})

function expectNoGrant({ headers }: Response): void {
  expect([...headers.keys()].filter((name) => name.startsWith('access-control-allow'))).toEqual([])
}

test('sign-in by a form post is rejected even with the right password', async () => {
  const { email, password } = account
  const response = await fetch(`${gatewayUrl}/api/v1/internal/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', origin: EVIL },
    body: JSON.stringify({ email, password }),
  })
  expect(response.status).toBe(415)
  expect(response.headers.get('set-cookie')).toBeNull()
  expectNoGrant(response)
})

test('a preflight from another site is denied, one from our pages is granted', async () => {
  const preflight = (origin: string) =>
    fetch(`${gatewayUrl}/api/v1/internal/api-keys`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, content-type',
      },
    })
  for (const origin of [
    EVIL,
    'null',
    `${webUrl}.evil.example`,
    `${webUrl}@evil.example`,
    webUrl.replace('http:', 'https:'),
  ]) {
    expectNoGrant(await preflight(origin))
  }
  expect((await preflight(webUrl)).headers.get('access-control-allow-origin')).toBe(webUrl)
})

test('GET requests change nothing', async () => {
  const { jwtToken } = await signUpUser(gatewayUrl)
  for (const path of ['user/logout', 'user/create', 'user/login', 'user/refresh']) {
    const { status } = await send(`${gatewayUrl}/api/v1/internal/${path}`, { token: jwtToken })
    expect([401, 404, 405]).toContain(status)
  }
  expect((await send(`${gatewayUrl}/api/v1/internal/user/details`, { token: jwtToken })).status).toBe(200)
})
