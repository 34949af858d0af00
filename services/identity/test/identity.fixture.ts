import type { UserActor } from '@tapeline/contracts/actor'
import { EventEnvelope } from '@tapeline/contracts/event'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { someUser } from '@tapeline/testing/actors'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { Value } from 'typebox/value'
import { testDeps, GOOD_PASSWORD, someSignUp } from './deps.fixture.ts'
import { logIn } from '../src/sessions/log-in.ts'
import { migrations } from '../src/migrations/all.ts'
import type { Tables } from '../src/tables.ts'
import { signUp } from '../src/users/sign-up.ts'
import { updateProfileFields } from '../src/users/user-queries.ts'

const REDIS_TIMEOUT_MS = 30_000

/** Identity on a database of the test, with helpers to create users. */
export async function testIdentity() {
  const { db, drop } = await openTestDatabase<Tables>(migrations)
  const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: REDIS_TIMEOUT_MS })
  await redisReady(redis, REDIS_TIMEOUT_MS)
  const clock = { nowMs: Date.UTC(2026, 2, 1) }
  const deps = await testDeps(db, redis, clock)
  const anonymous = { kind: 'anonymous', network: '203.0.113.0/24', userAgent: 'curl/8.5' } as const
  /** Marks a user's address as verified. */
  const verify = (userId: string) =>
    db.transaction().execute((trx) => updateProfileFields(trx, userId, { email_verified: true }))
  /** Creates a user with one session. */
  const newPerson = async (): Promise<{ email: string; actor: UserActor; refreshToken: string }> => {
    const { user, sessionId, refreshToken } = await signUp(deps, anonymous, someSignUp())
    return { email: user.email, actor: { ...someUser({ userId: user.id }), sessionId }, refreshToken }
  }
  const provenPerson = async () => {
    const person = await newPerson()
    await verify(person.actor.userId)
    return person
  }
  return {
    db,
    deps,
    clock,
    anonymous,
    newPerson,
    verify,
    provenPerson,
    signIn: (email: string, password = GOOD_PASSWORD) => logIn(deps, anonymous, { email, password }),
    eventsOf: async (userId: string): Promise<EventEnvelope[]> => {
      const rows = await db
        .selectFrom('outbox')
        .select('envelope')
        .where('subject', '=', userId)
        .orderBy('position')
        .execute()
      return rows.map(({ envelope }) => Value.Parse(EventEnvelope, envelope))
    },
    /** Mails since the sign-up. */
    mailsTo: (recipient: string) =>
      db
        .selectFrom('mail')
        .selectAll()
        .where('recipient', '=', recipient)
        .where('kind', '!=', 'verify-email')
        .orderBy('created_at')
        .orderBy('id')
        .execute(),
    close: async () => {
      redis.disconnect()
      await drop()
    },
  }
}
