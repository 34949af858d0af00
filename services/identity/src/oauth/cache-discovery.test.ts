import { PARTIAL_OUTAGE_HEADER } from '@tapeline/service/app-error'
import { waitUntil } from '@tapeline/testing/wait-until'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { cacheDiscovery } from './cache-discovery.ts'

/** Behavior of the test provider, whose issuer is its own address. */
const answers = { isHanging: false, requests: 0 }
const server = createServer((_request, response) => {
  answers.requests += 1
  if (answers.isHanging) return
  const paths = { authorization_endpoint: '/auth', token_endpoint: '/token', jwks_uri: '/jwks' }
  const endpoints = Object.entries(paths).map(([name, path]) => [name, issuer + path])
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ issuer, ...Object.fromEntries(endpoints) }))
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

const HOUR_MS = 3_600_000
const WITHIN_MS = 60_000
const clock = { nowMs: Date.UTC(2026, 2, 1) }
const discovery = (timeoutSeconds: number) => {
  const settings = { issuer, clientId: 'tapeline', clientSecret: 'a secret', redirectUri: `${issuer}/back` }
  return cacheDiscovery({ ...settings, timeoutSeconds }, () => new Date(clock.nowMs))
}
const unavailable = {
  code: 'oauth.provider_away',
  status: 503,
  headers: { 'retry-after': '5', [PARTIAL_OUTAGE_HEADER]: 'true' },
}

test('a provider that hangs delays one call, further ones fail immediately for some seconds, and then it is found again', async () => {
  const find = discovery(1)
  Object.assign(answers, { isHanging: true, requests: 0 })
  const together = await Promise.allSettled([find(), find(), find()])
  for (const result of together) expect(result).toMatchObject({ status: 'rejected', reason: unavailable })
  for (let n = 0; n < 3; n += 1) await expect(find()).rejects.toMatchObject(unavailable)
  expect(answers.requests).toBeLessThanOrEqual(1)
  clock.nowMs += 5_000
  await expect(find()).rejects.toMatchObject(unavailable)
  expect(answers.requests).toBeLessThanOrEqual(2)
  answers.isHanging = false
  clock.nowMs += 5_000
  // On a busy machine a request may time out; it is repeated.
  await waitUntil(
    'it is found',
    async () => {
      clock.nowMs += 5_000
      return (await find().catch(() => undefined))?.serverMetadata().issuer === issuer
    },
    WITHIN_MS,
  )
})

test('cached metadata is used during a refresh, also when that fails', async () => {
  const find = discovery(30)
  answers.isHanging = false
  const first = await find()
  Object.assign(answers, { isHanging: true, requests: 0 })
  clock.nowMs += HOUR_MS
  expect(await find()).toBe(first)
  await waitUntil('the document is requested', () => answers.requests === 1, WITHIN_MS)
  expect(await find()).toBe(first)
  answers.isHanging = false
  server.closeAllConnections()
  await waitUntil(
    'another one is known',
    async () => {
      clock.nowMs += 5_000
      return (await find()) !== first
    },
    WITHIN_MS,
  )
})
