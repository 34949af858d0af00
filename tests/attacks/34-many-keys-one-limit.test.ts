import { createKeyFor, listTrades, signUpUser } from '@tapeline/testing/api-client'
import { setLimits } from '@tapeline/testing/set-subscription'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const platform = runningPlatform()
const { gatewayUrl, gatewayUrls } = platform
const PER_MINUTE = 7
const KEYS = 3
const REQUESTS = 24

test('many keys and a signed-in session at every gateway have the account’s one limit', async () => {
  const { jwtToken, user } = await signUpUser(gatewayUrl)
  await setLimits(platform, user.id, { requestsPerMinute: PER_MINUTE })
  const credentials = [jwtToken]
  for (let n = 0; n < KEYS; n += 1) credentials.push((await createKeyFor(gatewayUrl, jwtToken, `key ${n}`)).apiKey)
  const sendWith = (n: number) =>
    listTrades(gatewayUrls[n % gatewayUrls.length] ?? '', credentials[n % credentials.length] ?? '')
  const answers = await Promise.all(Array.from({ length: REQUESTS }, (_, n) => sendWith(n)))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(PER_MINUTE)
  expect(statuses.filter((status) => status === 429)).toHaveLength(REQUESTS - PER_MINUTE)
  const { apiKey } = await createKeyFor(gatewayUrl, (await signUpUser(gatewayUrl)).jwtToken)
  expect((await listTrades(gatewayUrl, apiKey)).status).toBe(200)
})

test('a regenerated key does not reset its limits', async () => {
  const { jwtToken, user } = await signUpUser(gatewayUrl)
  await setLimits(platform, user.id, { requestsPerMinute: 1 })
  const { apiKey, key } = await createKeyFor(gatewayUrl, jwtToken)
  expect((await listTrades(gatewayUrl, apiKey)).status).toBe(200)
  const keyUrl = `${gatewayUrl}/api/v1/internal/api-keys/${key.id}`
  const headers = { authorization: `Bearer ${jwtToken}` }
  const regenerated = await fetch(`${keyUrl}/regenerate`, { method: 'POST', headers })
  const { data } = (await regenerated.json()) as { data: { apiKey: string } }
  expect((await listTrades(gatewayUrl, data.apiKey)).status).toBe(429)
  expect((await fetch(`${keyUrl}/delete`, { method: 'DELETE', headers })).status).toBe(200)
  const { apiKey: next } = await createKeyFor(gatewayUrl, jwtToken)
  expect((await listTrades(gatewayUrl, next)).status).toBe(429)
})
