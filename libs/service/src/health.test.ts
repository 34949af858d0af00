import { testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { afterAll, expect, test } from 'vitest'
import { createServer } from './create-server.ts'

let isAlive = true
const app = await createServer({
  name: 'audit',
  logger: silentLogger,
  internalKeys: testInternalKeys,
  checks: { database: () => Promise.reject(new Error('unavailable')) },
  now: () => new Date(),
  isAlive: () => isAlive,
})
afterAll(() => app.close())
const probe = async (url: string) => (await app.inject({ method: 'GET', url })).statusCode

test('liveness fails only when a restart can help', async () => {
  expect([await probe('/livez'), await probe('/startupz')]).toEqual([200, 200])
  isAlive = false
  expect([await probe('/livez'), await probe('/startupz')]).toEqual([503, 200])
})
