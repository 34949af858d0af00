import { afterAll, expect, test } from 'vitest'
import { GOOD_PASSWORD } from '../../test/deps.fixture.ts'
import { testIdentity } from '../../test/identity.fixture.ts'
import { testMails } from '../../test/mails.fixture.ts'
import { changePassword } from '../passwords/change-password.ts'
import { forgotPassword } from '../passwords/forgot-password.ts'
import { verifyResetToken } from '../passwords/verify-reset-token.ts'
import { changeEmail } from './change-email.ts'
import { confirmEmailChange } from './confirm-email-change.ts'
import { verifyEmail } from './verify-email.ts'

const { deps, clock, anonymous, newPerson, signIn, eventsOf, mailsTo, close } = await testIdentity()
afterAll(close)
const { deliver, tokenFor } = testMails(deps)

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const invalid = { code: 'email_link.invalid', status: 400 }
const someAddress = () => `New.${crypto.randomUUID()}@Example.com`
const confirm = (token: string) => confirmEmailChange(deps, anonymous, { token })
const kindsTo = async (address: string) => (await mailsTo(address)).map(({ kind }) => kind)

type Person = Awaited<ReturnType<typeof newPerson>>
const requestChange = ({ actor }: Person, newEmail: string, currentPassword = GOOD_PASSWORD) =>
  changeEmail(deps, actor, { newEmail, currentPassword })

test('a link mailed to the new address changes it, and the old address is notified before and after', async () => {
  const person = await newPerson()
  const to = someAddress()
  await requestChange(person, to)
  expect((await signIn(person.email)).user.email).toBe(person.email)
  const token = await tokenFor(to, 'confirm-email')
  expect(await confirm(token)).toEqual({ email: to })
  await expect(signIn(person.email)).rejects.toMatchObject({ code: 'login.failed' })
  expect((await signIn(to.toLowerCase())).user).toMatchObject({ email: to, email_verified: true })
  await expect(confirm(token)).rejects.toMatchObject(invalid)
  const subjects = (await deliver(person.email)).map(({ subject }) => subject)
  expect(subjects).toEqual([
    'Verify your email address',
    'Your email address is about to change',
    'Your email address was changed',
  ])
  const changes = (await eventsOf(person.actor.userId)).filter(({ type }) => type === 'identity.email-changed.v1')
  expect(changes.map(({ data }) => data)).toEqual([
    { user_id: person.actor.userId, before: { email: person.email }, after: { email: to } },
  ])
})

test('a wrong password is 403 and sends nothing', async () => {
  const person = await newPerson()
  const to = someAddress()
  const change = requestChange(person, to, 'not the password')
  await expect(change).rejects.toMatchObject({ code: 'password.wrong', status: 403 })
  expect(await kindsTo(to)).toEqual([])
  expect(await kindsTo(person.email)).toEqual([])
})

test("a request for another account's address gets the same response, and only its owner is notified", async () => {
  const [person, owner] = [await newPerson(), await newPerson()]
  expect(await requestChange(person, owner.email.toUpperCase())).toBeUndefined()
  await deliver(owner.email)
  const letters = await deliver(owner.email.toUpperCase())
  expect(letters.map(({ subject }) => subject)).toEqual(['This address already has an account'])
  expect(letters[0]?.text).not.toContain('token=')
  expect((await deliver(person.email)).map(({ subject }) => subject)).not.toContain('Your email address was changed')
  expect((await signIn(owner.email)).user.id).toBe(owner.actor.userId)
})

test('of two accounts that confirm one address, one gets it', async () => {
  const [one, other] = [await newPerson(), await newPerson()]
  const to = someAddress()
  await requestChange(one, to)
  const first = await tokenFor(to, 'confirm-email')
  await requestChange(other, to)
  const second = await tokenFor(to, 'confirm-email')
  const results = await Promise.allSettled([confirm(first), confirm(second)])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))).toMatchObject([invalid])
})

test('an address receives at most five links per hour over all accounts, without any effect on the response', async () => {
  const to = someAddress()
  const spellings = [to, to.toLowerCase(), to.toUpperCase(), to, to, to, to.toUpperCase()]
  const pendingIds: string[] = []
  for (const spelling of spellings) {
    expect(await requestChange(await newPerson(), spelling)).toBeUndefined()
    pendingIds.push(...(await deliver(spelling)).map(({ id }) => id))
  }
  expect(new Set(pendingIds).size).toBe(5)
  clock.nowMs += HOUR_MS + 1
  await requestChange(await newPerson(), to)
  expect(new Set([...pendingIds, ...(await deliver(to)).map(({ id }) => id)]).size).toBe(6)
})

test('links mailed to the old address are invalid after the change', async () => {
  const person = await newPerson()
  const verification = await tokenFor(person.email, 'verify-email')
  await forgotPassword(deps, { email: person.email })
  const reset = await tokenFor(person.email, 'reset-password')
  const to = someAddress()
  await requestChange(person, to)
  await confirm(await tokenFor(to, 'confirm-email'))
  expect(await verifyResetToken(deps, { token: reset })).toEqual({ valid: false, email: null })
  await expect(verifyEmail(deps, anonymous, { token: verification })).rejects.toMatchObject(invalid)
})

test('a new password cancels a change, whether its mail was sent or is waiting', async () => {
  const person = await newPerson()
  const newPassword = 'another horse, another battery'
  const [sent, waiting] = [someAddress(), someAddress()]
  await requestChange(person, sent)
  const token = await tokenFor(sent, 'confirm-email')
  clock.nowMs += MINUTE_MS
  await requestChange(person, waiting)
  await changePassword(deps, person.actor, { currentPassword: GOOD_PASSWORD, newPassword })
  await expect(confirm(token)).rejects.toMatchObject(invalid)
  expect(await deliver(waiting)).toEqual([])
})

test('a newer link invalidates the older one, and links expire after a day', async () => {
  const person = await newPerson()
  const [one, other] = [someAddress(), someAddress()]
  await requestChange(person, one)
  const first = await tokenFor(one, 'confirm-email')
  await expect(requestChange(person, other)).rejects.toMatchObject({ code: 'mail.too_many', status: 429 })
  clock.nowMs += MINUTE_MS
  await requestChange(person, other)
  const second = await tokenFor(other, 'confirm-email')
  await expect(confirm(first)).rejects.toMatchObject(invalid)
  clock.nowMs += 24 * 60 * MINUTE_MS
  await expect(confirm(second)).rejects.toMatchObject(invalid)
  expect((await signIn(person.email)).user.email).toBe(person.email)
})
