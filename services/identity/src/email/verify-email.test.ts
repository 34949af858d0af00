import { afterAll, expect, test } from 'vitest'
import { testIdentity } from '../../test/identity.fixture.ts'
import { testMails } from '../../test/mails.fixture.ts'
import { sendMail } from '../mail/send-mail.ts'
import { forgotPassword } from '../passwords/forgot-password.ts'
import { resetPassword } from '../passwords/reset-password.ts'
import { getUserDetails } from '../users/get-user-details.ts'
import { getEmailState } from './get-email-state.ts'
import { resendVerification } from './resend-verification.ts'
import { verifyEmail } from './verify-email.ts'

const { db, deps, clock, anonymous, newPerson, eventsOf, close } = await testIdentity()
afterAll(close)
const { deliver, tokenFor } = testMails(deps)

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const invalid = { code: 'email_link.invalid', status: 400 }
const verify = (token: string) => verifyEmail(deps, anonymous, { token })
const isVerified = async ({ actor }: Awaited<ReturnType<typeof newPerson>>) =>
  (await getUserDetails(deps, actor)).user.email_verified
const timesVerified = async (userId: string) =>
  (await eventsOf(userId)).filter(({ type }) => type === 'identity.email-verified.v1').length

test('a sign-up mails a link that verifies the address once', async () => {
  const person = await newPerson()
  const token = await tokenFor(person.email, 'verify-email')
  expect(await isVerified(person)).toBe(false)
  expect(await verify(token)).toEqual({ email: person.email })
  expect(await isVerified(person)).toBe(true)
  await expect(verify(token)).rejects.toMatchObject(invalid)
  expect(await timesVerified(person.actor.userId)).toBe(1)
})

test('other services can read whether an address is verified, and get a 404 for unknown accounts', async () => {
  const { email, actor } = await newPerson()
  expect(await getEmailState(deps, actor.userId)).toEqual({ email_verified: false })
  await verify(await tokenFor(email, 'verify-email'))
  expect(await getEmailState(deps, actor.userId)).toEqual({ email_verified: true })
  await expect(getEmailState(deps, crypto.randomUUID())).rejects.toMatchObject({ code: 'account.not_found' })
})

test('of two concurrent uses of a link, one verifies', async () => {
  const { email, actor } = await newPerson()
  const token = await tokenFor(email, 'verify-email')
  const results = await Promise.allSettled([verify(token), verify(token)])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await timesVerified(actor.userId)).toBe(1)
})

test('a link expires after a day, and is invalidated by a newer one', async () => {
  const person = await newPerson()
  const first = await tokenFor(person.email, 'verify-email')
  clock.nowMs += MINUTE_MS
  await resendVerification(deps, person.actor)
  const second = await tokenFor(person.email, 'verify-email')
  expect(second).not.toBe(first)
  await expect(verify(first)).rejects.toMatchObject(invalid)
  clock.nowMs += DAY_MS
  await expect(verify(second)).rejects.toMatchObject(invalid)
  expect(await isVerified(person)).toBe(false)
})

test('mails are resent at most once a minute and five times an hour, also under concurrent requests', async () => {
  const { actor, email } = await newPerson()
  const tooMany = { code: 'mail.too_many', status: 429, headers: { 'retry-after': '60' } }
  await deliver(email)
  await expect(resendVerification(deps, actor)).rejects.toMatchObject(tooMany)
  clock.nowMs += MINUTE_MS
  const atOnce = await Promise.allSettled([resendVerification(deps, actor), resendVerification(deps, actor)])
  expect(atOnce.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  for (let n = 0; n < 3; n += 1) {
    clock.nowMs += MINUTE_MS
    await deliver(email)
    await resendVerification(deps, actor)
  }
  clock.nowMs += MINUTE_MS
  await expect(resendVerification(deps, actor)).rejects.toMatchObject({ code: 'mail.too_many' })
  expect(await deliver(email)).toHaveLength(5)
})

test('resending an older mail leaves the newer link valid', async () => {
  const person = await newPerson()
  const older = await db.selectFrom('mail').select('id').where('recipient', '=', person.email).executeTakeFirstOrThrow()
  const lost = sendMail(deps, () => Promise.reject(new Error('the answer is lost')), older.id)
  await expect(lost).rejects.toThrow('lost')
  clock.nowMs += MINUTE_MS
  await resendVerification(deps, person.actor)
  const mails = db.selectFrom('mail').select('id').where('recipient', '=', person.email)
  const newer = await mails.where('id', '!=', older.id).executeTakeFirstOrThrow()
  let text = ''
  await sendMail(deps, async (mail) => void (text = mail.text), newer.id)
  const token = /token=([\w-]{43})\b/.exec(text)?.[1] ?? ''
  expect(await sendMail(deps, async () => undefined, older.id)).toBe('no recipient')
  expect(await verify(token)).toEqual({ email: person.email })
})

test('a verified account gets no more links', async () => {
  const { actor, email } = await newPerson()
  await verify(await tokenFor(email, 'verify-email'))
  clock.nowMs += MINUTE_MS
  await expect(resendVerification(deps, actor)).rejects.toMatchObject({ code: 'email.already_verified', status: 409 })
})

test('a password set through a mailed link verifies the address and publishes the event', async () => {
  const person = await newPerson()
  await forgotPassword(deps, { email: person.email })
  const token = await tokenFor(person.email, 'reset-password')
  await resetPassword(deps, anonymous, { token, newPassword: 'Another horse, battery 2' })
  expect(await isVerified(person)).toBe(true)
  expect(await timesVerified(person.actor.userId)).toBe(1)
})

test('the tokens of links are not interchangeable and are not stored', async () => {
  const { email } = await newPerson()
  const token = await tokenFor(email, 'verify-email')
  const reset = resetPassword(deps, anonymous, { token, newPassword: 'Another horse, battery 2' })
  await expect(reset).rejects.toMatchObject({ code: 'reset_token.invalid' })
  const stored = [
    await db.selectFrom('mail').selectAll().execute(),
    await db.selectFrom('email_link').selectAll().execute(),
  ]
  expect(JSON.stringify(stored)).not.toContain(token)
  expect((await deliver(email))[0]?.text).toContain(`https://tapeline.test/auth/verify-email?token=${token}`)
})
