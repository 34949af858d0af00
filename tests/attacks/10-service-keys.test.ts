import type { BulkAnswer } from '@tapeline/contracts/api-key/bulk'
import { type CreatedKey, KEY_SCOPES, type KeyScope } from '@tapeline/contracts/api-key/http'
import type { TrailPage } from '@tapeline/contracts/audit/trail'
import { createKeyFor, listKeysOf, listTrades, send, signUpUser } from '@tapeline/testing/api-client'
import { setLimits } from '@tapeline/testing/set-subscription'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { comparableResponse } from './comparable-response.ts'

const RECORDED_WITHIN_MS = 60_000
const platform = runningPlatform()
const { gatewayUrl } = platform
const INTERNAL = `${gatewayUrl}/api/v1/internal`
const KEYS = `${INTERNAL}/api-keys`

async function ownerWithServiceKey(scopes: readonly KeyScope[] = KEY_SCOPES, fields: object = {}) {
  const owner = await signUpUser(gatewayUrl)
  await setLimits(platform, owner.user.id, {})
  const response = await send<{ data: CreatedKey }>(KEYS, {
    token: owner.jwtToken,
    body: { name: 'automation', kind: 'service', scopes, ...fields },
  })
  expect(response.status).toBe(201)
  return { owner, token: response.body.data.apiKey, id: response.body.data.key.id }
}

test('a service key manages the keys of its account, and the audit trail names it', async () => {
  const { owner, token, id } = await ownerWithServiceKey()
  const { apiKey, key } = await createKeyFor(gatewayUrl, token, 'made by automation')
  expect((await listTrades(gatewayUrl, apiKey)).status).toBe(200)
  const named = async () => {
    const url = `${INTERNAL}/audit-trail?subject=${key.id}`
    const { body } = await send<{ data: TrailPage }>(url, { token: owner.jwtToken })
    return body.data.entries.find(({ type, actor }) => type === 'api-key.created.v1' && actor.name !== undefined)
  }
  const trail = await waitUntil('the trail names the key', named, RECORDED_WITHIN_MS)
  expect(trail).toMatchObject({ actor: { kind: 'api_key', id, name: 'automation' } })
  expect((await send(`${KEYS}/${key.id}/revoke`, { method: 'PATCH', token })).status).toBe(200)
  expect((await listTrades(gatewayUrl, apiKey)).status).toBe(401)
})

test('with one scope, a service key is denied all calls of other scopes', async () => {
  const { token } = await ownerWithServiceKey(['usage:read'])
  expect((await send(`${INTERNAL}/apikeyaudit/dashboard-metrics?period=1h`, { token })).status).toBe(200)
  for (const [method, path] of [
    ['GET', '/api-keys'],
    ['POST', '/api-keys'],
    ['GET', '/requests'],
    ['GET', '/audit-trail'],
  ] as const) {
    const body = method === 'POST' ? { name: 'stolen' } : undefined
    const { status, body: problem } = await send<{ code: string }>(INTERNAL + path, { method, token, body })
    expect([status, problem.code], path).toEqual([403, 'api_key.scope_missing'])
  }
  expect((await listTrades(gatewayUrl, token)).status).toBe(403)
})

test('to a service key, a key of another account looks like a missing one', async () => {
  const { token } = await ownerWithServiceKey()
  const victim = await signUpUser(gatewayUrl)
  const { apiKey, key } = await createKeyFor(gatewayUrl, victim.jwtToken, 'mine')
  for (const [method, path, body] of [
    ['GET', ''],
    ['PUT', '', { name: 'stolen' }],
    ['PATCH', '/revoke'],
    ['POST', '/regenerate'],
    ['DELETE', '/delete'],
  ] as [string, string, object?][]) {
    const foreign = await send(`${KEYS}/${key.id}${path}`, { method, token, body })
    const absent = await send(`${KEYS}/${crypto.randomUUID()}${path}`, { method, token, body })
    expect(foreign.status).toBe(404)
    expect(comparableResponse(foreign)).toEqual(comparableResponse(absent))
  }
  await send(`${KEYS}/${key.id}`, { method: 'PUT', token: victim.jwtToken, body: { tags: ['prod'] } })
  const change = { tag: 'prod', action: 'revoke' }
  const { body: previewed } = await send<{ data: BulkAnswer }>(`${KEYS}/bulk`, { token, body: change })
  const bulk = { ...change, preview: previewed.data.preview }
  const { body: changed } = await send<{ data: BulkAnswer }>(`${KEYS}/bulk`, { token, body: bulk })
  expect([previewed.data.keys, changed.data.keys]).toEqual([[], []])
  expect((await listTrades(gatewayUrl, apiKey)).status).toBe(200)
})

test('a service key cannot widen, replace, revoke or multiply itself', async () => {
  const { owner, token, id } = await ownerWithServiceKey(['keys:read', 'keys:write'])
  const multiply = { name: 'more', kind: 'service', scopes: ['audit:read'] }
  expect((await send(KEYS, { token, body: multiply })).status).toBe(403)
  expect((await send(`${KEYS}/${id}`, { method: 'PUT', token, body: { scopes: KEY_SCOPES } })).status).toBe(404)
  expect((await send(`${KEYS}/${id}/regenerate`, { method: 'POST', token })).status).toBe(404)
  const { body } = await send<{ data: { apiKeys: unknown[] } }>(`${KEYS}?kind=service`, { token: owner.jwtToken })
  expect(body.data.apiKeys).toMatchObject([{ id, scopes: ['keys:read', 'keys:write'], status: 'active' }])
  expect((await listKeysOf(gatewayUrl, token)).apiKeys).toEqual([])
})

test('revocation and address list apply to the next request', async () => {
  const { owner, token, id } = await ownerWithServiceKey(['keys:read'])
  const change = (method: string, path: string, body?: object) =>
    send(`${KEYS}/${id}${path}`, { method, token: owner.jwtToken, body })
  expect((await send(KEYS, { token })).status).toBe(200)
  expect((await change('PUT', '', { networks: ['203.0.113.0/24'] })).status).toBe(200)
  expect((await send(KEYS, { token })).body).toMatchObject({ code: 'api_key.address_not_allowed' })
  expect((await change('PUT', '', { networks: [] })).status).toBe(200)
  expect((await send(KEYS, { token })).status).toBe(200)
  expect((await change('PATCH', '/revoke')).status).toBe(200)
  expect((await send(KEYS, { token })).body).toMatchObject({ status: 401, code: 'api_key.revoked' })
})
