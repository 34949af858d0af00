import { storeDeadLetter, storedDeadLetters } from '@tapeline/testing/kafka/stored-dead-letters'
import { afterAll, expect, test } from 'vitest'
import { GOOD_PASSWORD } from '../../test/deps.fixture.ts'
import { changeEmail } from '../email/change-email.ts'
import { testIdentity } from '../../test/identity.fixture.ts'
import { testMails } from '../../test/mails.fixture.ts'
import { forgotPassword } from '../passwords/forgot-password.ts'
import { resetPassword } from '../passwords/reset-password.ts'
import { verifyResetToken } from '../passwords/verify-reset-token.ts'
import { refreshSession } from '../sessions/refresh-session.ts'
import { changeUser } from '../users/change-user.ts'
import { getAccountRecord } from '../users/get-account-record.ts'
import { updateProfile } from '../users/update-profile.ts'
import { deleteAccounts } from './delete-accounts.ts'
import { requestDeletion } from './request-deletion.ts'

const { db, deps, clock, anonymous, newPerson, signIn, eventsOf, mailsTo, close } = await testIdentity()
afterAll(close)
const { deliver, tokenFor } = testMails(deps)

const DAY_MS = 86_400_000
/** Tables with personal data of an account. */
const TABLES = [
  'user_account',
  'session',
  'known_device',
  'password_reset',
  'email_link',
  'mail',
  'account_export',
] as const
const operator = { kind: 'service', service: 'operator' } as const
type Person = Awaited<ReturnType<typeof newPerson>>
const requestOf = ({ actor }: Person, currentPassword = GOOD_PASSWORD) =>
  requestDeletion(deps, actor, { currentPassword })
const loginFailed = { code: 'login.failed' }
const setStatus = (userId: string, status: 'active' | 'inactive') => changeUser(deps, operator, { userId, status })
const typesOf = async ({ actor }: Person) => (await eventsOf(actor.userId)).map(({ type }) => type)

test('a deleted account is closed immediately, kept for seven days, and then removed', async () => {
  const person = await newPerson()
  const { userId } = person.actor
  expect(await requestOf(person)).toEqual({ due_at: new Date(clock.nowMs + 7 * DAY_MS).toISOString() })
  expect(await getAccountRecord(deps, userId)).toMatchObject({ status: 'inactive', version: 2 })
  const refreshed = refreshSession(deps, anonymous, { refreshToken: person.refreshToken })
  await expect(refreshed).rejects.toMatchObject({ code: 'refresh_token.invalid' })
  expect(await typesOf(person)).toEqual([
    'identity.user-signed-up.v1',
    'identity.account-deletion-requested.v1',
    'identity.status-changed.v1',
  ])
  clock.nowMs += 7 * DAY_MS - 1
  expect(await deleteAccounts(deps)).toBe(0)
  clock.nowMs += 1
  await expect(signIn(person.email)).rejects.toMatchObject(loginFailed)
  expect(await deleteAccounts(deps)).toBe(1)
  expect(await deleteAccounts(deps)).toBe(0)
  await expect(getAccountRecord(deps, userId)).rejects.toMatchObject({ code: 'account.not_found' })
  expect((await eventsOf(userId)).at(-1)).toMatchObject({
    type: 'identity.account-deleted.v1',
    actorkind: 'service',
    data: { user_id: userId, version: 3 },
  })
})

test('mails confirm the request and the deletion, and no personal data is left in any table', async () => {
  const person = await newPerson()
  const { email } = person
  await updateProfile(deps, person.actor, { first_name: 'Unforgettable' })
  await forgotPassword(deps, { email })
  await changeEmail(deps, person.actor, { newEmail: 'elsewhere@example.com', currentPassword: GOOD_PASSWORD })
  await storeDeadLetter(db, JSON.stringify({ account: person.actor.userId, data: { name: 'Unforgettable' } }))
  await storeDeadLetter(db, JSON.stringify({ account: deps.newId(), data: { name: 'another account' } }))
  await requestOf(person)
  expect((await deliver(email)).map(({ subject }) => subject)).toContain('Your account will be deleted')
  clock.nowMs += 7 * DAY_MS
  await deleteAccounts(deps)
  expect((await deliver(email)).at(-1)?.subject).toBe('Your account was deleted')
  for (const table of TABLES) {
    const rows = JSON.stringify(await db.selectFrom(table).selectAll().execute())
    for (const trace of [email, person.actor.userId, 'Unforgettable']) expect(rows, table).not.toContain(trace)
  }
  expect(await storedDeadLetters(db)).toEqual([expect.stringContaining('another account')])
})

test('signing in before the deadline keeps the account', async () => {
  const person = await newPerson()
  await requestOf(person)
  clock.nowMs += 7 * DAY_MS - 1
  expect((await signIn(person.email)).user).toMatchObject({ id: person.actor.userId, status: 'active' })
  expect(await getAccountRecord(deps, person.actor.userId)).toMatchObject({ status: 'active', version: 3 })
  clock.nowMs += DAY_MS
  expect(await deleteAccounts(deps)).toBe(0)
  expect((await signIn(person.email)).user.id).toBe(person.actor.userId)
  expect(await typesOf(person)).toContain('identity.account-deletion-cancelled.v1')
  expect((await mailsTo(person.email)).map(({ kind }) => kind)).toEqual(['deletion-requested', 'deletion-cancelled'])
})

test('a wrong password neither closes an account nor restores it', async () => {
  const person = await newPerson()
  const deletion = requestOf(person, 'not the password')
  await expect(deletion).rejects.toMatchObject({ code: 'password.wrong', status: 403 })
  expect(await getAccountRecord(deps, person.actor.userId)).toMatchObject({ status: 'active', version: 1 })
  await requestOf(person)
  await expect(signIn(person.email, 'not the password')).rejects.toMatchObject(loginFailed)
  expect(await getAccountRecord(deps, person.actor.userId)).toMatchObject({ status: 'inactive' })
})

test('reset links from before the deletion request are invalid, whether their mail was sent or is waiting', async () => {
  const person = await newPerson()
  const { email } = person
  await forgotPassword(deps, { email })
  const token = await tokenFor(email, 'reset-password')
  await forgotPassword(deps, { email })
  await requestOf(person)
  expect(await verifyResetToken(deps, { token })).toMatchObject({ valid: false })
  await signIn(email)
  const letters = (await deliver(email)).map(({ subject }) => subject)
  expect(letters.filter((subject) => subject === 'Set a new password')).toHaveLength(1)
  expect(letters).toContain('Your account will not be deleted')
})

test('a forgotten password can be reset in time to restore the account', async () => {
  const person = await newPerson()
  await requestOf(person)
  await forgotPassword(deps, { email: person.email })
  const token = await tokenFor(person.email, 'reset-password')
  await resetPassword(deps, anonymous, { token, newPassword: 'Another horse, battery 2' })
  expect((await signIn(person.email, 'Another horse, battery 2')).user.status).toBe('active')
})

test('an account deactivated by an operator cannot be restored by signing in, and a reactivated one is not deleted', async () => {
  const [stopped, unaffected] = [await newPerson(), await newPerson()]
  await requestOf(stopped)
  await requestOf(unaffected)
  await setStatus(stopped.actor.userId, 'inactive')
  await setStatus(unaffected.actor.userId, 'active')
  expect((await typesOf(stopped)).at(-1)).toBe('identity.account-return-closed.v1')
  expect((await typesOf(unaffected)).slice(-2)).toEqual([
    'identity.status-changed.v1',
    'identity.account-deletion-cancelled.v1',
  ])
  await expect(signIn(stopped.email)).rejects.toMatchObject(loginFailed)
  clock.nowMs += 7 * DAY_MS
  await deleteAccounts(deps)
  await expect(getAccountRecord(deps, stopped.actor.userId)).rejects.toMatchObject({ code: 'account.not_found' })
  expect((await signIn(unaffected.email)).user.id).toBe(unaffected.actor.userId)
})

test('the last admin cannot be deleted; of two concurrent requests one is rejected', async () => {
  const [one, other] = [await newPerson(), await newPerson()]
  await changeUser(deps, operator, { userId: one.actor.userId, role: 'admin' })
  await expect(requestOf(one)).rejects.toMatchObject({ code: 'account.last_admin', status: 409 })
  expect((await refreshSession(deps, anonymous, { refreshToken: one.refreshToken })).userId).toBe(one.actor.userId)
  await changeUser(deps, operator, { userId: other.actor.userId, role: 'admin' })
  const results = await Promise.allSettled([requestOf(one), requestOf(other)])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))).toMatchObject([
    { code: 'account.last_admin' },
  ])
})
