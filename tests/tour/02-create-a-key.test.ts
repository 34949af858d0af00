import { createKeyFor, listKeysOf, send, signUpUser } from '@tapeline/testing/api-client'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const { gatewayUrl } = runningPlatform()

test('a key is shown in full once and never again', async () => {
  const { jwtToken } = await signUpUser(gatewayUrl)
  const created = await createKeyFor(gatewayUrl, jwtToken, 'notebook')
  expect(created.apiKey).toMatch(/^tl_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/)
  const { apiKeys } = await listKeysOf(gatewayUrl, jwtToken)
  expect(apiKeys).toMatchObject([{ name: 'notebook', prefix: created.apiKey.slice(0, 20), is_active: true }])
  expect(JSON.stringify(apiKeys)).not.toContain(created.apiKey.slice(21))
})

test('a key without a name is rejected with the field', async () => {
  const { jwtToken } = await signUpUser(gatewayUrl)
  const reply = await send(`${gatewayUrl}/api/v1/internal/api-keys`, { token: jwtToken, body: { description: 'x' } })
  expect(reply.status).toBe(400)
  expect(reply.body).toMatchObject({ code: 'request.invalid', errors: [{ field: '/name' }] })
})

test('another user’s key is answered like a key that does not exist', async () => {
  const owner = await signUpUser(gatewayUrl)
  const { key } = await createKeyFor(gatewayUrl, owner.jwtToken)
  const other = await signUpUser(gatewayUrl)
  const read = (id: string) =>
    send<{ code: string; message: string }>(`${gatewayUrl}/api/v1/internal/api-keys/${id}`, { token: other.jwtToken })
  const [foreign, missing] = [await read(key.id), await read(crypto.randomUUID())]
  expect(foreign.status).toBe(404)
  expect([foreign.body.code, foreign.body.message]).toEqual([missing.body.code, missing.body.message])
})
