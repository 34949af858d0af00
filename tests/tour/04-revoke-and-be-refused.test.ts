import { createKeyFor, listTrades, send, signUpUser } from '@tapeline/testing/api-client'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const { gatewayUrl, gatewayUrls } = runningPlatform()
const keyUrl = (id: string, verb: string) => `${gatewayUrl}/api/v1/internal/api-keys/${id}/${verb}`

test('after a revocation is answered, the next request is rejected at every gateway', async () => {
  const { jwtToken } = await signUpUser(gatewayUrl)
  const { apiKey, key } = await createKeyFor(gatewayUrl, jwtToken)
  for (const url of gatewayUrls) expect((await listTrades(url, apiKey)).status).toBe(200)
  expect((await send(keyUrl(key.id, 'revoke'), { method: 'PATCH', token: jwtToken })).status).toBe(200)
  const answers = await Promise.all(gatewayUrls.map((url) => listTrades(url, apiKey)))
  expect(answers.map(({ status }) => status)).toEqual(gatewayUrls.map(() => 401))
})

test('a regenerated key replaces the old one at once', async () => {
  const { jwtToken } = await signUpUser(gatewayUrl)
  const { apiKey, key } = await createKeyFor(gatewayUrl, jwtToken)
  const reply = await send<{ data: { apiKey: string } }>(keyUrl(key.id, 'regenerate'), {
    method: 'POST',
    token: jwtToken,
  })
  expect(reply.status).toBe(200)
  expect((await listTrades(gatewayUrl, apiKey)).status).toBe(401)
  expect((await listTrades(gatewayUrl, reply.body.data.apiKey)).status).toBe(200)
})

test('a deleted key is rejected and no longer in the list', async () => {
  const { jwtToken } = await signUpUser(gatewayUrl)
  const { apiKey, key } = await createKeyFor(gatewayUrl, jwtToken)
  expect((await send(keyUrl(key.id, 'delete'), { method: 'DELETE', token: jwtToken })).status).toBe(200)
  expect((await listTrades(gatewayUrl, apiKey)).status).toBe(401)
  const list = await send(`${gatewayUrl}/api/v1/internal/api-keys`, { token: jwtToken })
  expect(list.body).toMatchObject({ data: { apiKeys: [] } })
})
