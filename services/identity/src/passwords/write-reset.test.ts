import { afterAll, expect, test } from 'vitest'
import { GOOD_PASSWORD } from '../../test/deps.fixture.ts'
import { testIdentity } from '../../test/identity.fixture.ts'
import { testMails } from '../../test/mails.fixture.ts'
import { sendMail } from '../mail/send-mail.ts'
import { findUserByEmail } from '../users/user-queries.ts'
import { changePassword } from './change-password.ts'
import { forgotPassword } from './forgot-password.ts'
import { makeResetLink } from './make-reset-link.ts'
import { resetPassword } from './reset-password.ts'
import { verifyResetToken } from './verify-reset-token.ts'
import { writeReset } from './write-reset.ts'

const { db, deps, clock, anonymous, newPerson, mailsTo, close } = await testIdentity()
afterAll(close)
const { deliver, tokenFor } = testMails(deps)
const NEW_PASSWORD = 'Another horse, battery 2'
const FRESH_MS = 5 * 60_000
const operator = { kind: 'service', service: 'operator' } as const
const invalid = { code: 'reset_token.invalid', status: 400 }
const reset = (token: string, newPassword = NEW_PASSWORD) => resetPassword(deps, anonymous, { token, newPassword })

async function newLink(email: string): Promise<string> {
  await forgotPassword(deps, { email })
  return tokenFor(email, 'reset-password')
}

/** Sends the waiting mails and returns those with a link that the address has received so far. */
async function resetMails(email: string) {
  return (await deliver(email)).filter(({ subject }) => subject === 'Set a new password')
}

test('for five minutes, requests by others neither invalidate a link, mailed or handed over, nor send another', async () => {
  const [mailed, handedOver] = [await newPerson(), await newPerson()]
  const { url } = await makeResetLink(deps, operator, handedOver.actor.userId)
  const tokens = [await newLink(mailed.email), new URL(url).searchParams.get('token') ?? '']
  for (const { email } of [mailed, handedOver]) {
    for (let n = 0; n < 20; n += 1) await forgotPassword(deps, { email })
    expect(await resetMails(email)).toHaveLength(email === mailed.email ? 1 : 0)
  }
  clock.nowMs += FRESH_MS - 1
  for (const token of tokens) expect(await verifyResetToken(deps, { token })).toMatchObject({ valid: true })
})

test('after any number of requests by others, an owner without a valid link is mailed one', async () => {
  const { email } = await newPerson()
  for (let n = 0; n < 12; n += 1) {
    const token = await newLink(email)
    expect(await reset(token, `${NEW_PASSWORD}${n}`)).toMatchObject({ deviceToken: expect.any(String) })
    for (let other = 0; other < 5; other += 1) await forgotPassword(deps, { email })
    clock.nowMs += FRESH_MS
  }
})

/** A mail that was sent and is sent again, because the mail server's confirmation was lost. */
async function newLinkWithoutAnswer(email: string): Promise<{ token: string; sendAgain: () => Promise<string> }> {
  await forgotPassword(deps, { email })
  const waiting = (await mailsTo(email)).findLast(({ kind, sent_at }) => kind === 'password-reset' && sent_at === null)
  const id = waiting?.id ?? ''
  let text = ''
  const lost = sendMail(deps, (mail) => ((text = mail.text), Promise.reject(new Error('the answer is lost'))), id)
  await expect(lost).rejects.toThrow('lost')
  const token = /token=([\w-]{43})\b/.exec(text)?.[1] ?? ''
  expect(await verifyResetToken(deps, { token })).toEqual({ valid: true, email })
  return { token, sendAgain: () => sendMail(deps, async () => undefined, id) }
}

test('a used link stays used when its mail is resent', async () => {
  const { email } = await newPerson()
  const { token, sendAgain } = await newLinkWithoutAnswer(email)
  await reset(token)
  expect(await sendAgain()).toBe('done before')
  await expect(reset(token, `${NEW_PASSWORD}6`)).rejects.toMatchObject(invalid)
})

test('a mail in progress while its link is used does not restore the link', async () => {
  const { email } = await newPerson()
  const { token } = await newLinkWithoutAnswer(email)
  const [row] = await mailsTo(email)
  const user = await findUserByEmail(db, email)
  if (row === undefined || user === undefined) throw new Error('no mail, or no recipient')
  await reset(token)
  expect(await writeReset(deps, row, user)).toBeUndefined()
  expect(await verifyResetToken(deps, { token })).toEqual({ valid: false, email: null })
})

test('a changed password invalidates earlier links, also when their mail is resent', async () => {
  const { email, actor } = await newPerson()
  const { token, sendAgain } = await newLinkWithoutAnswer(email)
  await changePassword(deps, actor, { currentPassword: GOOD_PASSWORD, newPassword: NEW_PASSWORD })
  await expect(reset(token, `${NEW_PASSWORD}7`)).rejects.toMatchObject(invalid)
  expect(await sendAgain()).toBe('done before')
  await expect(reset(token, `${NEW_PASSWORD}7`)).rejects.toMatchObject(invalid)
})

test('a mail that could not be sent is sent again, whatever others requested in the meantime', async () => {
  const { email } = await newPerson()
  const { token, sendAgain } = await newLinkWithoutAnswer(email)
  clock.nowMs += 1
  await forgotPassword(deps, { email })
  expect(await sendAgain()).toBe('sent')
  expect(await resetMails(email)).toEqual([])
  expect(await reset(token)).toMatchObject({ deviceToken: expect.any(String) })
})

test('resending an older mail leaves the newer link valid', async () => {
  const { email } = await newPerson()
  const older = await newLinkWithoutAnswer(email)
  clock.nowMs += FRESH_MS
  const newer = await newLinkWithoutAnswer(email)
  clock.nowMs += FRESH_MS
  expect(await older.sendAgain()).toBe('no recipient')
  await expect(reset(older.token)).rejects.toMatchObject(invalid)
  expect(await reset(newer.token)).toMatchObject({ deviceToken: expect.any(String) })
})
