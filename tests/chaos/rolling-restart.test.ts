import { createKeyFor, signUpSomebody } from '@tapeline/testing/api-client'
import { setLimits } from '@tapeline/testing/set-subscription'
import { startTestPlatform, type TestPlatform } from '@tapeline/testing/test-platform'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROLLING, rollingRestart } from './rolling-restart.ts'

const REQUESTS_MIN = 1_000
let platform: TestPlatform

beforeAll(async () => {
  platform = await startTestPlatform({ ...ROLLING, servers: process.env })
})
afterAll(() => platform?.stop())

test('gateways restarted one after the other behind a balancer fail not one request', async () => {
  const { jwtToken, user } = await signUpSomebody(platform.gatewayUrl)
  const addresses = { configDatabaseUrl: platform.databaseUrls.config, redisUrl: platform.addresses.redisUrl }
  await setLimits(addresses, user.id, {})
  const { apiKey } = await createKeyFor(platform.gatewayUrl, jwtToken)
  // Counted by the gateway itself, and forwarded with a deadline that a busy machine keeps: it is about restarts alone.
  const asking = [
    { method: 'GET', path: '/api/v1/health', token: apiKey },
    { method: 'GET', path: '/api/v1/internal/user/feature-flags', token: jwtToken },
  ] as const
  const { answered, failed, restarts, handed } = await rollingRestart(platform, { asking, requestsMin: REQUESTS_MIN })
  expect(failed).toEqual({})
  expect(answered).toBeGreaterThanOrEqual(REQUESTS_MIN)
  expect(restarts).toBeGreaterThanOrEqual(2)
  for (const connections of Object.values(handed)) expect(connections).toBeGreaterThan(0)
})
