import {
  createKeyFor,
  listKeysOf,
  listTrades,
  type Reply,
  send,
  signUpSomebody,
  usageOf,
} from '@tapeline/testing/api-client'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const { gatewayUrl } = runningPlatform()
const KEYS = `${gatewayUrl}/api/v1/internal/api-keys`
const AUDIT = `${gatewayUrl}/api/v1/internal/apikeyaudit`

/** What tells two answers apart, without what is new in every answer. */
function told({ status, body, headers }: Reply): unknown {
  const { request_id: _id, instance: _path, ...rest } = { request_id: '', instance: '', ...(body as object) }
  const names = [...headers.keys()].filter((name) => name !== 'date')
  return { status, rest, names }
}

test.each([
  ['reads', 'GET', ''],
  ['edits', 'PUT', ''],
  ['edits a part of', 'PATCH', ''],
  ['deletes', 'DELETE', '/delete'],
  ['revokes', 'PATCH', '/revoke'],
  ['regenerates', 'POST', '/regenerate'],
])('whoever %s the key of another account meets nothing', async (_verb, method, path) => {
  const owner = await signUpSomebody(gatewayUrl)
  const { apiKey, key } = await createKeyFor(gatewayUrl, owner.jwtToken, 'mine')
  const { jwtToken: token } = await signUpSomebody(gatewayUrl)
  const attack = (id: string) => send(`${KEYS}/${id}${path}`, { method, token })
  const foreign = await attack(key.id)
  expect([404, 405]).toContain(foreign.status)
  expect(told(foreign)).toEqual(told(await attack(crypto.randomUUID())))
  expect(JSON.stringify(foreign.body)).not.toMatch(/mine|tl_live/)

  expect((await listTrades(gatewayUrl, apiKey)).status).toBe(200)
  const { apiKeys } = await listKeysOf(gatewayUrl, owner.jwtToken)
  expect(apiKeys).toMatchObject([{ id: key.id, name: 'mine', prefix: apiKey.slice(0, 20), is_active: true }])
})

test('an API key cannot manage keys, not even its own', async () => {
  const { jwtToken } = await signUpSomebody(gatewayUrl)
  const { apiKey, key } = await createKeyFor(gatewayUrl, jwtToken)
  for (const [method, path] of [
    ['GET', ''],
    ['GET', `/${key.id}`],
    ['PATCH', `/${key.id}/revoke`],
    ['POST', `/${key.id}/regenerate`],
    ['DELETE', `/${key.id}/delete`],
  ] as const) {
    expect((await send(KEYS + path, { method, token: apiKey })).status).toBe(403)
  }
  expect((await listTrades(gatewayUrl, apiKey)).status).toBe(200)
})

test.each(['dashboard-metrics', 'api-key-usage', 'usage-breakdown'])(
  'the usage of another account’s key cannot be asked for: %s',
  async (call) => {
    const owner = await signUpSomebody(gatewayUrl)
    const { apiKey, key } = await createKeyFor(gatewayUrl, owner.jwtToken)
    await listTrades(gatewayUrl, apiKey)
    await waitUntil('the request is counted', async () => (await usageOf(gatewayUrl, owner.jwtToken)).total === 1)
    const { jwtToken: token } = await signUpSomebody(gatewayUrl)
    const ask = (id: string, as: string) => send(`${AUDIT}/${call}?apiKeyId=${id}`, { token: as })
    const foreign = await ask(key.id, token)
    expect(foreign.status).toBe(404)
    expect(told(foreign)).toEqual(told(await ask(crypto.randomUUID(), token)))
    expect((await ask(key.id, owner.jwtToken)).body).toMatchObject({ data: { total: 1 } })
    const twice = await send(`${AUDIT}/${call}?apiKeyId=${key.id}&apiKeyId=${key.id}`, { token })
    expect([400, 404]).toContain(twice.status)
    const { body } = await send(`${AUDIT}/${call}`, { token })
    expect(body).toMatchObject({ data: { total: 0 } })
  },
)
