import { afterAll, expect, test } from 'vitest'
import { GOOD_PASSWORD } from '../../test/deps.fixture.ts'
import { testIdentity } from '../../test/identity.fixture.ts'
import { knownDevice } from '../sessions/device-token.ts'
import { logIn } from '../sessions/log-in.ts'
import { refreshSession } from '../sessions/refresh-session.ts'
import { countOpenSessions } from '../sessions/session-queries.ts'
import { getAccountRecord } from '../users/get-account-record.ts'
import { findUser } from '../users/user-queries.ts'
import { changePassword } from './change-password.ts'

const { deps, anonymous, newPerson, signIn, eventsOf, mailsTo, close } = await testIdentity()
afterAll(close)
const NEW_PASSWORD = 'another horse, another battery'

test('the new password works, the old one does not, and only the calling session stays', async () => {
  const { email, actor, refreshToken } = await newPerson()
  const other = await signIn(email)
  const input = { currentPassword: GOOD_PASSWORD, newPassword: NEW_PASSWORD }
  expect(await changePassword(deps, actor, input)).toEqual({
    sessions_ended: 1,
    deviceToken: expect.any(String),
  })
  await expect(signIn(email)).rejects.toMatchObject({ code: 'login.failed' })
  expect((await signIn(email, NEW_PASSWORD)).user.email).toBe(email)
  expect((await getAccountRecord(deps, actor.userId)).ended_session_ids).toEqual([other.sessionId])
  expect((await refreshSession(deps, anonymous, { refreshToken })).sessionId).toBe(actor.sessionId)
  const dead = refreshSession(deps, anonymous, { refreshToken: other.refreshToken })
  await expect(dead).rejects.toMatchObject({ code: 'refresh_token.invalid' })
  expect((await mailsTo(email)).map(({ kind }) => kind)).toEqual(['password-changed'])
  const events = await eventsOf(actor.userId)
  expect(events.map(({ type }) => type)).toContain('identity.password-changed.v1')
  expect(JSON.stringify(events)).not.toContain(NEW_PASSWORD)
})

test('the browser that changes the password stays known, and others are forgotten', async () => {
  const { email, actor } = await newPerson()
  const { deviceToken: before } = await signIn(email)
  const input = { currentPassword: GOOD_PASSWORD, newPassword: NEW_PASSWORD }
  const { deviceToken } = await changePassword(deps, actor, input)
  const user = await findUser(deps.db, actor.userId)
  expect(knownDevice(deps, deviceToken, user)).toEqual(expect.any(String))
  expect(knownDevice(deps, before, user)).toBeUndefined()
})

test('a wrong current password is 403 and changes nothing', async () => {
  const { email, actor } = await newPerson()
  const input = { currentPassword: 'not the password', newPassword: NEW_PASSWORD }
  await expect(changePassword(deps, actor, input)).rejects.toMatchObject({ code: 'password.wrong', status: 403 })
  expect((await signIn(email)).user.email).toBe(email)
  expect(await mailsTo(email)).toEqual([])
})

test('of two concurrent changes from one old password, one succeeds', async () => {
  const { email, actor } = await newPerson()
  const change = (newPassword: string) => changePassword(deps, actor, { currentPassword: GOOD_PASSWORD, newPassword })
  const results = await Promise.allSettled([change(`${NEW_PASSWORD} one`), change(`${NEW_PASSWORD} two`)])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await mailsTo(email)).toHaveLength(1)
})

test('a sign-in in progress with the old password opens no session', async () => {
  const { email, actor } = await newPerson()
  const input = { currentPassword: GOOD_PASSWORD, newPassword: NEW_PASSWORD }
  const late: typeof deps = {
    ...deps,
    passwords: {
      ...deps.passwords,
      async verify(...args) {
        const isRight = await deps.passwords.verify(...args)
        await changePassword(deps, actor, input)
        return isRight
      },
    },
  }
  const signIn = logIn(late, anonymous, { email, password: GOOD_PASSWORD })
  await expect(signIn).rejects.toMatchObject({ code: 'login.failed' })
  expect(await countOpenSessions(deps.db, actor.userId, deps.now())).toBe(1)
})

test('a common password is rejected', async () => {
  const { actor } = await newPerson()
  const input = { currentPassword: GOOD_PASSWORD, newPassword: 'password123' }
  const refusal = { code: 'password.too_common', errors: [{ field: '/newPassword' }] }
  await expect(changePassword(deps, actor, input)).rejects.toMatchObject(refusal)
})
