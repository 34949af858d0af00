import { createKeyFor, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { fetchDetails } from './fetch-details.ts'
import { rawRequest, sendRaw } from './raw-request.ts'

const { gatewayUrl } = runningPlatform()
let attacker: TestAccount

beforeAll(async () => {
  attacker = await signUpUser(gatewayUrl)
})

test.each([
  'x-user-id',
  'x-actor',
  'close, X-Actor, x-request-id, authorization',
  'keep-alive, x-actor, traceparent, content-length, host',
])("the service receives the caller's identity although Connection names its header: %s", async (connection) => {
  const { status, data, headers } = await fetchDetails(gatewayUrl, attacker.jwtToken, ['connection', connection])
  expect({ status, id: data.user.id }).toEqual({ status: 200, id: attacker.user.id })
  expect(headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/)
})

test('the service receives the key, and the caller its limits, although Connection names these headers', async () => {
  const { apiKey } = await createKeyFor(gatewayUrl, attacker.jwtToken)
  for (const connection of ['x-actor', 'x-actor, x-api-key, authorization', 'X-Actor, ratelimit, x-request-id']) {
    const bytes = rawRequest({
      method: 'GET',
      target: '/api/v1/instruments',
      headers: [`connection: ${connection}`, `x-api-key: ${apiKey}`],
    })
    const { statuses, text } = await sendRaw(gatewayUrl, bytes)
    expect(statuses, text).toEqual([200])
    expect(text).toMatch(/\r\nratelimit: /i)
    expect(text).toMatch(/\r\nx-request-id: [0-9a-f]{32}\r\n/i)
  }
})
