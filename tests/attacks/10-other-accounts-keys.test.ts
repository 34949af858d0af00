import { createKeyFor, listKeysOf, listTrades, send, signUpUser } from '@tapeline/testing/api-client'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { comparableResponse } from './comparable-response.ts'

const { gatewayUrl } = runningPlatform()
const KEYS = `${gatewayUrl}/api/v1/internal/api-keys`

test.each([
  ['reads', 'GET', '', undefined],
  ['edits', 'PUT', '', { name: 'stolen' }],
  ['counts the requests of', 'GET', '/analytics', undefined],
  ['edits a part of', 'PATCH', '', { name: 'stolen' }],
  ['deletes', 'DELETE', '/delete', undefined],
  ['revokes', 'PATCH', '/revoke', undefined],
  ['ends the old secret of', 'PATCH', '/end-grace', undefined],
  ['regenerates', 'POST', '/regenerate', undefined],
  ['proposes limits of', 'PUT', '/shadow', { rate_limits: { requestsPerMinute: 1 } }],
  ['withdraws the proposed limits of', 'DELETE', '/shadow', undefined],
  ['applies the proposed limits of', 'POST', '/shadow/apply', { proposal: crypto.randomUUID() }],
])(
  'a caller who %s the key of another account is answered as for an unknown key',
  async (_verb, method, path, body?: object) => {
    const owner = await signUpUser(gatewayUrl)
    const { apiKey, key } = await createKeyFor(gatewayUrl, owner.jwtToken, 'mine')
    const { jwtToken: token } = await signUpUser(gatewayUrl)
    const attack = (id: string) => send(`${KEYS}/${id}${path}`, { method, token, body })
    const foreign = await attack(key.id)
    expect([404, 405]).toContain(foreign.status)
    expect(comparableResponse(foreign)).toEqual(comparableResponse(await attack(crypto.randomUUID())))
    expect(JSON.stringify(foreign.body)).not.toMatch(/mine|tl_live/)

    expect((await listTrades(gatewayUrl, apiKey)).status).toBe(200)
    const { apiKeys } = await listKeysOf(gatewayUrl, owner.jwtToken)
    expect(apiKeys).toMatchObject([{ id: key.id, name: 'mine', prefix: apiKey.slice(0, 20), is_active: true }])
  },
)

test('an API key cannot manage keys, not even its own', async () => {
  const { jwtToken } = await signUpUser(gatewayUrl)
  const { apiKey, key } = await createKeyFor(gatewayUrl, jwtToken)
  for (const [method, path] of [
    ['GET', ''],
    ['GET', `/${key.id}`],
    ['PUT', `/${key.id}`],
    ['GET', `/${key.id}/analytics`],
    ['GET', `/usage?api_key_id=${key.id}`],
    ['PATCH', `/${key.id}/revoke`],
    ['PATCH', `/${key.id}/end-grace`],
    ['POST', `/${key.id}/regenerate`],
    ['PUT', `/${key.id}/shadow`],
    ['DELETE', `/${key.id}/shadow`],
    ['POST', `/${key.id}/shadow/apply`],
    ['DELETE', `/${key.id}/delete`],
  ] as const) {
    expect((await send(KEYS + path, { method, token: apiKey })).status).toBe(403)
  }
  expect((await listTrades(gatewayUrl, apiKey)).status).toBe(200)
})
