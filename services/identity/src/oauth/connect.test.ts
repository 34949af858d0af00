import { afterAll, expect, test } from 'vitest'
import { testOauth } from '../../test/oauth.fixture.ts'
import { runInOrder } from '../../test/password-queue.fixture.ts'
import { makeResetLink } from '../passwords/make-reset-link.ts'
import { resetPassword } from '../passwords/reset-password.ts'
import { countOpenSessions } from '../sessions/session-queries.ts'

const { db, deps, anonymous, provenPerson, visitProvider, finish, close } = await testOauth()
afterAll(close)

test.each([
  ['before', ['connect', 'reset']],
  ['after', ['reset', 'connect']],
] as const)('an account connected just %s a password reset keeps no session', async (_, order) => {
  const { actor, email } = await provenPerson()
  const back = await visitProvider({ email }, actor)
  const { url } = await makeResetLink(deps, { kind: 'service', service: 'operator' }, actor.userId)
  const token = new URL(url).searchParams.get('token') ?? ''
  const operations = {
    connect: () => finish(back),
    reset: () => resetPassword(deps, anonymous, { token, newPassword: 'Another horse, battery 2' }),
  }
  const results = await runInOrder(
    db,
    actor.userId,
    order.map((name) => operations[name]),
  )
  expect(results[order.indexOf('reset')]).toMatchObject({ status: 'fulfilled' })
  expect(await countOpenSessions(db, actor.userId, deps.now())).toBe(0)
})
