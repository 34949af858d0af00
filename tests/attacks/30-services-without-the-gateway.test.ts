import { someUser } from '@tapeline/testing/actors'
import { send } from '@tapeline/testing/api-client'
import { signAs } from '@tapeline/testing/sign-as'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const { gatewayUrl, serviceUrls, internalKeys } = runningPlatform()
const LIFE_MS = 30_000
const actor = someUser({ role: 'admin', tier: 'pro' })
const account = crypto.randomUUID()

const calls = [
  ['identity', '/api/v1/internal/user/details'],
  ['identity', `/internal/accounts/${account}`],
  ['api-key', '/api/v1/internal/api-keys'],
  ['api-key', '/internal/keys/000000000000'],
  ['audit', '/api/v1/internal/apikeyaudit/dashboard-metrics'],
  ['audit', `/internal/seeds/${account}?month_start=2026-01-01T00:00:00Z`],
  ['config', '/api/v1/internal/user/feature-flags'],
  ['config', `/internal/subscriptions/${account}`],
  ['market-data', '/api/v1/instruments'],
  ['market-data', '/api/v1/sample'],
] as const

test.each(calls)('%s rejects direct calls without the gateway: %s', async (service, path) => {
  const url = serviceUrls[service] + path
  const sign = () => signAs(internalKeys, { caller: 'gateway', audience: service, actor })
  const [claims = '', mac = ''] = sign().split('.')
  const ownKeys = { [`gateway>${service}`]: Buffer.alloc(32, 7).toString('base64url') }
  const forged = [
    '',
    'admin',
    claims,
    `${claims}.`,
    `${claims}.${mac.slice(0, -2)}`,
    `${Buffer.from(`${Buffer.from(claims, 'base64url').toString()} `).toString('base64url')}.${mac}`,
    signAs(ownKeys, { caller: 'gateway', audience: service, actor }),
    signAs(internalKeys, { caller: 'gateway', audience: service === 'audit' ? 'config' : 'audit', actor }),
    signAs(internalKeys, { caller: 'gateway', audience: service, actor, nowMs: Date.now() - LIFE_MS - 1_000 }),
  ]
  expect((await send(url)).status).toBe(401)
  for (const headers of [{ 'x-user-id': account }, { authorization: 'Bearer x' }]) {
    expect((await send(url, { headers: { ...headers } as Record<string, string> })).status).toBe(401)
  }
  for (const token of forged) expect((await send(url, { headers: { 'x-actor': token } })).status).toBe(401)
  expect((await send(url, { headers: { 'x-actor': sign() } })).status).not.toBe(401)
})

test('a token of a user is rejected as that of a service, and so is that of another service', async () => {
  const asUser = signAs(internalKeys, { caller: 'gateway', audience: 'identity', actor })
  const url = `${serviceUrls.identity}/internal/accounts/${account}`
  const answer = await send(url, { headers: { 'x-actor': asUser } })
  expect(answer.body).toMatchObject({ status: 404, code: 'request.route_not_found' })
  const asAudit = signAs(internalKeys, {
    caller: 'audit',
    audience: 'identity',
    actor: { kind: 'service', service: 'audit' },
  })
  expect((await send(url, { headers: { 'x-actor': asAudit } })).body).toMatchObject({ code: 'request.route_not_found' })
})

test('calls between services are not reachable through the gateway', async () => {
  for (const [, path] of calls.filter(([, each]) => each.startsWith('/internal/'))) {
    const token = signAs(internalKeys, {
      caller: 'gateway',
      audience: 'identity',
      actor: { kind: 'service', service: 'gateway' },
    })
    for (const prefix of ['', '/api/v1', '/api/v1/admin', '/api/v1/trades']) {
      const { status } = await send(gatewayUrl + prefix + path, { headers: { 'x-actor': token } })
      expect([401, 404]).toContain(status)
    }
  }
  for (const path of ['/metrics', '/.well-known/jwks.json', '/documentation/json', '/-/failure']) {
    expect((await send(gatewayUrl + path)).status).toBe(404)
  }
})
