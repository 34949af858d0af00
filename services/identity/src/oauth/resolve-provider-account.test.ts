import { afterAll, expect, test } from 'vitest'
import { testOauth } from '../../test/oauth.fixture.ts'
import { runInOrder } from '../../test/password-queue.fixture.ts'
import { makeResetLink } from '../passwords/make-reset-link.ts'
import { resetPassword } from '../passwords/reset-password.ts'
import { countOpenSessions } from '../sessions/session-queries.ts'

const { db, deps, anonymous, provenPerson, visitProvider, signInByProvider, finish, close } = await testOauth()
afterAll(close)

const LINKED = 'a linked account'
const SAME_ADDRESS = 'an account with the same address'

test.each([
  { account: LINKED, order: ['signIn', 'reset'], sessions: 0 },
  { account: LINKED, order: ['reset', 'signIn'], sessions: 1 },
  { account: SAME_ADDRESS, order: ['signIn', 'reset'], sessions: 0 },
  { account: SAME_ADDRESS, order: ['reset', 'signIn'], sessions: 1 },
] as const)(
  'of a concurrent sign-in to $account and a password reset, in the order $order, $sessions sessions remain',
  async ({ account, order, sessions }) => {
    const { actor, email } = await provenPerson()
    if (account === LINKED) await signInByProvider({ email })
    const back = await visitProvider({ email })
    const { url } = await makeResetLink(deps, { kind: 'service', service: 'operator' }, actor.userId)
    const token = new URL(url).searchParams.get('token') ?? ''
    const operations = {
      signIn: () => finish(back),
      reset: () => resetPassword(deps, anonymous, { token, newPassword: 'Another horse, battery 2' }),
    }
    const results = await runInOrder(
      db,
      actor.userId,
      order.map((name) => operations[name]),
    )
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect(await countOpenSessions(db, actor.userId, deps.now())).toBe(sessions)
  },
)
