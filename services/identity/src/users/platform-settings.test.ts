import type { PlatformSnapshot } from '@tapeline/contracts/config/platform-settings'
import { bucketPercent, rolesReached } from '@tapeline/service/settings/flag-rules'
import { fixedSettings } from '@tapeline/service/platform-settings'
import { afterAll, expect, test } from 'vitest'
import { someSignUp } from '../../test/deps.fixture.ts'
import { testIdentity } from '../../test/identity.fixture.ts'
import { logIn } from '../sessions/log-in.ts'
import { countAccounts } from './count-accounts.ts'
import { getUserDetails } from './get-user-details.ts'
import { signUp } from './sign-up.ts'

const { db, deps, clock, anonymous, newPerson, close } = await testIdentity()
afterAll(close)

const flag = { role: 'user' as const, enabled: true, is_public: false, description: null, metadata: {} }
const always = { rollout_percent: 100, enabled_from: null, enabled_until: null }
const snapshot: PlatformSnapshot = {
  version: 1,
  flags: [{ key: 'new_charts', ...flag, ...always }],
  configs: {
    'system_config.sign_up': { value: { open: false }, is_public: true },
    'system_config.sessions': { value: { idle_hours: 2, remembered_days: 3 }, is_public: false },
  },
}
const configured = { ...deps, settings: fixedSettings(snapshot) }

test('while sign-up is closed no account is created, and existing ones can sign in', async () => {
  const { email } = await newPerson()
  const person = someSignUp()
  await expect(signUp(configured, anonymous, person)).rejects.toMatchObject({ code: 'sign_up.closed', status: 403 })
  const found = await db.selectFrom('user_account').select('id').where('email', '=', person.email).execute()
  expect(found).toEqual([])
  expect((await logIn(configured, anonymous, { email, password: person.password })).user.email).toBe(email)
})

test('sessions last as long as configured', async () => {
  const { email } = await newPerson()
  const expiryOf = async (remember: boolean) => {
    const { sessionId } = await logIn(configured, anonymous, {
      email,
      password: someSignUp().password,
      remember_me: remember,
    })
    const row = await db
      .selectFrom('session')
      .select('expires_at')
      .where('id', '=', sessionId)
      .executeTakeFirstOrThrow()
    return (row.expires_at.getTime() - clock.nowMs) / 3_600_000
  }
  expect([await expiryOf(false), await expiryOf(true)]).toEqual([2, 72])
})

test('while config is unavailable a user has the flags of the snapshot', async () => {
  const { actor } = await newPerson()
  expect((await getUserDetails(deps, actor)).featureFlags).toEqual([])
  const details = await getUserDetails(configured, actor)
  expect(details.featureFlags).toEqual(['new_charts'])
  expect(details.globalConfigs).toMatchObject({ 'system_config.sign_up': { open: false } })
  expect(details.globalConfigs).not.toHaveProperty(['system_config.sessions'])
})

test('accounts are counted in the rollout in which the flag is on for them', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, () => newPerson()))
  await db
    .updateTable('user_account')
    .set({ role: 'tester' })
    .where('id', '=', people[0]?.actor.userId ?? '')
    .execute()
  await db
    .updateTable('user_account')
    .set({ status: 'inactive' })
    .where('id', '=', people[1]?.actor.userId ?? '')
    .execute()
  for (const role of ['user', 'tester'] as const) {
    const rows = await db
      .selectFrom('user_account')
      .select('id')
      .where('status', '=', 'active')
      .where('role', 'in', rolesReached(role))
      .execute()
    for (const percent of [0, 33.3, 50, 100]) {
      const inShare = rows.filter(({ id }) => percent === 100 || bucketPercent('charts: ü', id) < percent)
      expect(await countAccounts(deps, { role, key: 'charts: ü', percent })).toEqual({
        accounts: inShare.length,
        of: rows.length,
      })
    }
  }
})
