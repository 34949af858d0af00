import { startTestPlatform, type TestPlatform } from '@tapeline/testing/test-platform'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { repeatedRequests } from './drills/rolling-restart-drill.ts'
import { ROLLING, rollingRestart } from './drills/rolling-restart.ts'

const REQUESTS_MIN = 1_000
let platform: TestPlatform

beforeAll(async () => {
  platform = await startTestPlatform({ ...ROLLING, servers: process.env })
})
afterAll(() => platform?.stop())

test('no request fails while gateways behind a balancer restart one after the other', async () => {
  // Only requests with long deadlines or answered by the gateway itself: this test is about restarts alone.
  const { brief: repeated } = await repeatedRequests(platform)
  const { answered, failed, restarts, handed } = await rollingRestart(platform, { repeated, requestsMin: REQUESTS_MIN })
  expect(failed).toEqual({})
  expect(answered).toBeGreaterThanOrEqual(REQUESTS_MIN)
  expect(restarts).toBeGreaterThanOrEqual(2)
  for (const connections of Object.values(handed)) expect(connections).toBeGreaterThan(0)
})
