import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomUUID } from 'node:crypto'
import { ACTOR_HEADER, verifyActorToken } from '@tapeline/service/actor-token'
import { createServiceClient } from '@tapeline/service/calls/call-service'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { someUser } from '@tapeline/testing/actors'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, expect, test } from 'vitest'
import { testDeps, someSignUp } from '../../test/deps.fixture.ts'
import { migrations } from '../migrations/all.ts'
import type { Tables } from '../tables.ts'
import { getUserDetails } from './get-user-details.ts'
import { createProfileFinder } from './profile-finder.ts'
import { signUp } from './sign-up.ts'

const profile = {
  tier: 'pro' as const,
  time_zone: 'Europe/London',
  featureFlags: ['api_key_management'],
  flags: [
    { key: 'api_key_management', enabled: true, description: null, metadata: { category: 'api_keys', priority: 1 } },
  ],
  configs: { user_settings: '{"theme":"dark"}' },
  globalConfigs: { banner: { text: 'hello' } },
}

let answers: 'the profile' | 'nothing' | 'nonsense' | 'an error' = 'the profile'
const calls: { url: string | undefined; caller: string | undefined }[] = []
/** A real HTTP server in place of config. */
const config = createServer((request, response) => {
  const token = String(request.headers[ACTOR_HEADER])
  const verified = verifyActorToken(testInternalKeys, { token, audience: 'config', nowMs: Date.now() })
  calls.push({ url: request.url, caller: verified?.caller })
  if (answers === 'nothing') return
  const status = answers === 'an error' ? 500 : 200
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(answers === 'the profile' ? profile : { tier: 'gold' }))
})
await new Promise<void>((resolve) => config.listen(0, '127.0.0.1', resolve))
const address = config.address() as AddressInfo

function findProfile(timeoutMs: number) {
  const baseUrl = `http://127.0.0.1:${address.port}`
  const client = createServiceClient({
    caller: 'identity',
    audience: 'config',
    baseUrl,
    keys: testInternalKeys,
    timeoutMs,
  })
  return createProfileFinder(client, silentLogger)
}

const { db, drop } = await openTestDatabase<Tables>(migrations)
const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
await redisReady(redis, 30_000)
const deps = await testDeps(db, redis)
const { user } = await signUp(deps, { kind: 'anonymous' }, someSignUp())
const actor = someUser({ userId: user.id, tier: 'basic', role: 'admin' })
afterAll(async () => {
  config.closeAllConnections()
  config.close()
  redis.disconnect()
  await drop()
})

test('details include the profile for the role in the database, not the one in the token', async () => {
  answers = 'the profile'
  const details = await getUserDetails({ ...deps, findProfile: findProfile(30_000) }, actor)
  expect(details).toEqual({
    user: { ...user, subscription_tier: 'pro', featureFlags: ['api_key_management'] },
    role: 'user',
    featureFlags: profile.featureFlags,
    flags: profile.flags,
    configs: profile.configs,
    globalConfigs: profile.globalConfigs,
    signInMethods: { password: true, google: false },
  })
  expect(calls.at(-1)).toEqual({ url: `/internal/accounts/${user.id}/profile?role=user`, caller: 'identity' })
})

test.each(['nothing', 'nonsense', 'an error'] as const)(
  'when config returns %s the user is returned without flags',
  async (what) => {
    answers = what
    const details = await getUserDetails({ ...deps, findProfile: findProfile(what === 'nothing' ? 50 : 30_000) }, actor)
    expect(details).toMatchObject({ user: { ...user, subscription_tier: 'basic' }, featureFlags: [], flags: [] })
  },
)

test('a deleted user has no details', async () => {
  const deleted = someUser({ userId: randomUUID() })
  await expect(getUserDetails(deps, deleted)).rejects.toMatchObject({ code: 'account.not_found', status: 404 })
})
