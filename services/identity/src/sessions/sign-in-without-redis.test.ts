import { connectRedis } from '@tapeline/service/redis'
import { raiseVersion } from '@tapeline/service/account-versions'
import { type Fault, startFaultProxy } from '@tapeline/testing/fault-proxy'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, expect, test } from 'vitest'
import { GOOD_PASSWORD } from '../../test/deps.fixture.ts'
import { testIdentity } from '../../test/identity.fixture.ts'
import { logIn } from './log-in.ts'
import { logOut } from './log-out.ts'
import { createSignInTries } from '../sign-in-limits/sign-in-tries.ts'

const wire = await startFaultProxy(testServers().redisUrl)
const redis = connectRedis({
  url: `redis://127.0.0.1:${wire.port}`,
  logger: silentLogger,
  commandTimeoutMs: 200,
})
const { deps: onRedis, newPerson, anonymous, eventsOf, close } = await testIdentity()
const tries = createSignInTries(redis, { perAccount: 4, perPair: 3, delayMaxMs: 60_000 }, onRedis.now)
const deps = {
  ...onRedis,
  tries,
  raiseVersion: (version: Parameters<typeof raiseVersion>[1]) => raiseVersion(redis, version),
}
afterAll(async () => {
  redis.disconnect()
  await wire.stop()
  await close()
})

test.each<Fault>(['refuse', 'hang'])(
  'with a Redis that does %s sign-in and sign-out work, and guessing stays slow',
  async (fault) => {
    const { email, actor } = await newPerson()
    await waitUntil('Redis is connected', () => redis.status === 'ready')
    wire.setFault(fault)
    try {
      const signedIn = await logIn(deps, anonymous, { email, password: GOOD_PASSWORD })
      const out = await logOut(deps, { ...actor, sessionId: signedIn.sessionId })
      expect(out).toEqual({ effective_within_seconds: 5 })
      const guess = () => logIn(deps, anonymous, { email, password: 'wrong' })
      for (let n = 0; n < 3; n += 1) await expect(guess()).rejects.toMatchObject({ code: 'login.failed' })
      await expect(guess()).rejects.toMatchObject({ code: 'throttle.exceeded', status: 429 })
      const credentials = { email, password: GOOD_PASSWORD, deviceToken: signedIn.deviceToken }
      expect((await logIn(deps, anonymous, credentials)).user.email).toBe(email)
    } finally {
      wire.setFault('pass')
    }
    // Versions and events wait in the outbox, independent of Redis and Kafka.
    const types = (await eventsOf(actor.userId)).map(({ type }) => type)
    expect(types.filter((type) => type === 'identity.user-signed-in.v2')).toHaveLength(2)
    expect(types).toContain('identity.session-ended.v1')
  },
)
