import { afterAll, expect, test } from 'vitest'
import { testIdentity } from '../../test/identity.fixture.ts'
import { runInOrder } from '../../test/password-queue.fixture.ts'
import type { OutgoingMail } from '../mail/mailer.ts'
import { sendMail } from '../mail/send-mail.ts'
import { countOpenSessions } from '../sessions/session-queries.ts'
import { getAccountRecord } from '../users/get-account-record.ts'
import { changeUser } from '../users/change-user.ts'
import { forgotPassword } from './forgot-password.ts'
import { makeResetLink } from './make-reset-link.ts'
import { resetPassword } from './reset-password.ts'
import { verifyResetToken } from './verify-reset-token.ts'

const { db, deps, clock, anonymous, newPerson, signIn, eventsOf, mailsTo, close } = await testIdentity()
afterAll(close)
const NEW_PASSWORD = 'Another horse, battery 2'
const MINUTE_MS = 60_000
const FRESH_MS = 5 * MINUTE_MS
const operator = { kind: 'service', service: 'operator' } as const

/** Sends the waiting mails and returns those sent to an address. */
async function deliver(recipient: string): Promise<OutgoingMail[]> {
  const sent: OutgoingMail[] = []
  const waiting = (await mailsTo(recipient)).filter(({ sent_at }) => sent_at === null)
  for (const { id } of waiting) await sendMail(deps, async (mail) => void sent.push(mail), id)
  return sent
}

async function newLink(email: string): Promise<string> {
  await forgotPassword(deps, { email })
  const [mail] = await deliver(email)
  const token = /token=([\w-]{43})\b/.exec(mail?.text ?? '')?.[1]
  if (token === undefined) throw new Error(`no link in ${JSON.stringify(mail)}`)
  return token
}

/** The token of a link that an operator hands over. */
async function operatorLink(userId: string): Promise<string> {
  const { url } = await makeResetLink(deps, operator, userId)
  return new URL(url).searchParams.get('token') ?? ''
}

const reset = (token: string, newPassword = NEW_PASSWORD) => resetPassword(deps, anonymous, { token, newPassword })
const invalid = { code: 'reset_token.invalid', status: 400 }

test('a link sets a new password once, ends every session and verifies the address', async () => {
  const { email, actor } = await newPerson()
  const token = await newLink(email.toUpperCase().toLowerCase())
  expect(await reset(token)).toEqual({ deviceToken: expect.any(String) })
  expect((await signIn(email, NEW_PASSWORD)).user.email_verified).toBe(true)
  const record = await getAccountRecord(deps, actor.userId)
  expect(record).toMatchObject({ version: 2, not_before: Math.floor(clock.nowMs / 1_000) })
  expect(record.ended_session_ids).toEqual([actor.sessionId])
  await expect(reset(token, `${NEW_PASSWORD}3`)).rejects.toMatchObject(invalid)
  expect(await verifyResetToken(deps, { token })).toEqual({ valid: false, email: null })
  expect((await deliver(email)).map(({ subject }) => subject)).toEqual(['Your password was changed'])
})

test('a link that an operator hands over does not verify the address; a mailed one does', async () => {
  const { email, actor } = await newPerson()
  await newLink(email)
  await reset(await operatorLink(actor.userId))
  expect((await signIn(email, NEW_PASSWORD)).user.email_verified).toBe(false)
  expect((await eventsOf(actor.userId)).map(({ type }) => type)).not.toContain('identity.email-verified.v1')
  await makeResetLink(deps, operator, actor.userId)
  await deliver(email)
  clock.nowMs += FRESH_MS
  await reset(await newLink(email), `${NEW_PASSWORD}2`)
  expect((await signIn(email, `${NEW_PASSWORD}2`)).user.email_verified).toBe(true)
})

test('when the write to Redis fails, the response says when the sessions end', async () => {
  const { email } = await newPerson()
  const input = { token: await newLink(email), newPassword: `${NEW_PASSWORD}5` }
  const unpublished = { ...deps, raiseVersion: async () => false }
  expect(await resetPassword(unpublished, anonymous, input)).toMatchObject({ effective_within_seconds: 5 })
})

test('a sign-in with the old password either finishes before the reset and ends with it, or fails', async () => {
  const { email, actor } = await newPerson()
  const token = await newLink(email)
  const results = await runInOrder(db, actor.userId, [() => signIn(email), () => reset(token)])
  expect(results).toMatchObject([{ value: { user: { email } } }, { status: 'fulfilled' }])
  expect(await countOpenSessions(db, actor.userId, deps.now())).toBe(0)
  await expect(signIn(email)).rejects.toMatchObject({ code: 'login.failed' })
})

test('verifying a link does not use it up', async () => {
  const { email } = await newPerson()
  const token = await newLink(email)
  for (let n = 0; n < 3; n += 1) expect(await verifyResetToken(deps, { token })).toEqual({ valid: true, email })
  await reset(token)
})

test('a link expires after ten minutes, and is invalidated by one that is five minutes newer', async () => {
  const { email } = await newPerson()
  const first = await newLink(email)
  clock.nowMs += FRESH_MS
  const second = await newLink(email)
  await expect(reset(first)).rejects.toMatchObject(invalid)
  clock.nowMs += 10 * MINUTE_MS
  await expect(reset(second)).rejects.toMatchObject(invalid)
  expect(await verifyResetToken(deps, { token: second })).toEqual({ valid: false, email: null })
})

test('of two concurrent uses of a link, one succeeds', async () => {
  const { email } = await newPerson()
  const token = await newLink(email)
  const results = await Promise.allSettled([reset(token), reset(token, `${NEW_PASSWORD}4`)])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('a rejected password leaves the link valid', async () => {
  const { email } = await newPerson()
  const token = await newLink(email)
  await expect(reset(token, 'no upper case 1')).rejects.toMatchObject({ code: 'password.too_weak' })
  const refusal = { code: 'password.too_common', errors: [{ field: '/newPassword' }] }
  await expect(reset(token, 'Password123')).rejects.toMatchObject(refusal)
  await reset(token)
})

test('a request for an unknown address is recorded in the same way, and no mail is sent', async () => {
  const recipient = `unknown-${crypto.randomUUID()}@example.com`
  await forgotPassword(deps, { email: recipient })
  expect(await mailsTo(recipient)).toMatchObject([{ kind: 'password-reset', user_id: null }])
  expect(await deliver(recipient)).toEqual([])
  expect(await mailsTo(recipient)).toMatchObject([{ sent_at: deps.now() }])
})

test('an inactive account gets no link', async () => {
  const { email, actor } = await newPerson()
  await changeUser(deps, operator, { userId: actor.userId, status: 'inactive' })
  await forgotPassword(deps, { email })
  expect(await deliver(email)).toEqual([])
})

test('a mail resent after a crash has the same id and the same link', async () => {
  const { email } = await newPerson()
  await forgotPassword(deps, { email })
  const [row] = await mailsTo(email)
  const sent: OutgoingMail[] = []
  const crash = async (mail: OutgoingMail): Promise<void> => {
    sent.push(mail)
    throw new Error('the process dies after the mail server took it')
  }
  await expect(sendMail(deps, crash, row?.id ?? '')).rejects.toThrow('dies')
  expect(await sendMail(deps, async (mail) => void sent.push(mail), row?.id ?? '')).toBe('sent')
  expect(sent[1]).toEqual(sent[0])
  expect(await sendMail(deps, crash, row?.id ?? '')).toBe('done before')
})

test('neither link nor token is in the database or an event', async () => {
  const { email, actor } = await newPerson()
  const token = await newLink(email)
  const stored = [await db.selectFrom('mail').selectAll().execute(), await eventsOf(actor.userId)]
  const resets = await db.selectFrom('password_reset').selectAll().where('user_id', '=', actor.userId).execute()
  expect(JSON.stringify([stored, resets])).not.toContain(token)
  expect(resets[0]?.hash.toString('latin1')).not.toContain(token)
})

test('mails are written in the language of the settings', async () => {
  const { email, actor } = await newPerson()
  const profile = { tier: 'free' as const, time_zone: 'UTC', featureFlags: [], flags: [], globalConfigs: {} }
  const subjects: string[] = []
  for (const user_settings of ['{"language":"es"}', { language: 'fr' }, '{"language":"zh"}', 'no json', undefined]) {
    await forgotPassword(deps, { email })
    const [waiting] = (await mailsTo(email)).filter(({ sent_at }) => sent_at === null)
    clock.nowMs += FRESH_MS
    const configs = user_settings === undefined ? {} : { user_settings }
    const withSettings = { ...deps, findProfile: async () => ({ ...profile, configs }) }
    await sendMail(withSettings, async ({ subject }) => void subjects.push(subject), waiting?.id ?? '')
  }
  expect(subjects).toEqual([
    'Elige una contraseña nueva',
    'Choisissez un nouveau mot de passe',
    'Set a new password',
    'Set a new password',
    'Set a new password',
  ])
  expect(actor.userId).not.toBe('')
})
