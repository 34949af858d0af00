import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect, test } from 'vitest'
import { someSignUp } from '../../test/deps.fixture.ts'
import { testIdentity } from '../../test/identity.fixture.ts'
import { forgotPassword } from '../passwords/forgot-password.ts'
import { verifyResetToken } from '../passwords/verify-reset-token.ts'
import { signUp } from '../users/sign-up.ts'
import { createMailer } from './mailer.ts'
import { deleteMailsBefore, listWaitingMails } from './mail-queries.ts'
import { recordMail } from './record-mail.ts'
import { sendMail } from './send-mail.ts'

const { db, deps, clock, anonymous, newPerson, mailsTo, close } = await testIdentity()
const answers = { code: 250 }
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  logger: false,
  onRcptTo: (_address, _session, callback) =>
    callback(answers.code === 250 ? null : Object.assign(new Error('not here'), { responseCode: answers.code })),
  onData(stream, _session, callback) {
    stream.resume().on('end', () => callback(null))
  },
})
const listening = server.listen(0, '127.0.0.1')
await once(listening, 'listening')
const address = listening.address()
if (typeof address !== 'object' || address === null) throw new Error('the mail server does not listen')
const mailer = createMailer({ url: `smtp://127.0.0.1:${address.port}`, from: 'Tapeline <a@tapeline.test>' })
afterAll(async () => {
  mailer.close()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  await close()
})

async function newMail() {
  const { email, actor } = await newPerson()
  await recordMail(db, deps, { userId: actor.userId, recipient: email, mail: { kind: 'password-changed' } })
  const row = async () => (await mailsTo(email))[0]
  return { id: (await row())?.id ?? '', row }
}

test('an address that the server rejects permanently gets no further attempts', async () => {
  const { id, row } = await newMail()
  answers.code = 550
  expect(await sendMail(deps, mailer.send, id)).toBe('refused')
  expect(await row()).toMatchObject({ sent_at: null, failed_at: deps.now(), failure: expect.stringContaining('550') })
  answers.code = 250
  expect(await sendMail(deps, mailer.send, id)).toBe('done before')
})

test('a temporarily rejected mail is sent later', async () => {
  const { id, row } = await newMail()
  answers.code = 451
  await expect(sendMail(deps, mailer.send, id)).rejects.toThrow('451')
  expect(await row()).toMatchObject({ sent_at: null, failed_at: null })
  answers.code = 250
  expect(await sendMail(deps, mailer.send, id)).toBe('sent')
})

test('an address receives at most five unauthenticated mails of a kind per hour, and the newest sent link is valid', async () => {
  const { email } = await newPerson()
  const sentTexts: string[] = []
  const send = async ({ text }: { text: string }) => void sentTexts.push(text)
  const outcomes: string[] = []
  const next = async (trigger: () => Promise<unknown>) => {
    await trigger()
    const waiting = (await mailsTo(email)).filter(({ sent_at }) => sent_at === null)
    for (const { id } of waiting) outcomes.push(await sendMail(deps, send, id))
  }
  const requestReset = () => forgotPassword(deps, { email })
  const signUpAgain = () => signUp(deps, anonymous, someSignUp({ email: email.toUpperCase() })).catch(() => undefined)
  const sixOf = (trigger: () => Promise<unknown>) => Array.from({ length: 6 }, () => trigger)
  for (const trigger of sixOf(signUpAgain)) await next(trigger)
  for (const trigger of sixOf(requestReset)) await next(trigger)
  const fiveSent = [...Array.from({ length: 5 }, () => 'sent'), 'too many']
  expect(outcomes).toEqual([...fiveSent, ...fiveSent])
  expect(sentTexts).toHaveLength(10)
  const token = /token=([\w-]{43})/.exec(sentTexts.at(-1) ?? '')?.[1] ?? ''
  expect(await verifyResetToken(deps, { token })).toMatchObject({ valid: true })
  clock.nowMs += 3_600_000
  await next(requestReset)
  expect(outcomes.at(-1)).toBe('sent')
})

test('replaced and unneeded mails do not count towards the limit', async () => {
  const { email } = await newPerson()
  for (let n = 0; n < 7; n += 1) await forgotPassword(deps, { email })
  const outcomes: string[] = []
  for (const { id } of await mailsTo(email)) outcomes.push(await sendMail(deps, async () => undefined, id))
  expect(outcomes).toEqual([...Array.from({ length: 6 }, () => 'no recipient'), 'sent'])
})

test('the queue pages through all mails, also those written at the same time', async () => {
  await deleteMailsBefore(db, new Date(clock.nowMs + 1))
  const ids: string[] = []
  for (const minutes of [0, 0, 0, 1, 1]) {
    clock.nowMs += minutes * 60_000
    const { email, actor } = await newPerson()
    await db.deleteFrom('mail').where('user_id', '=', actor.userId).execute()
    await recordMail(db, deps, { userId: actor.userId, recipient: email, mail: { kind: 'password-changed' } })
    ids.push((await mailsTo(email))[0]?.id ?? '')
  }
  const first = await listWaitingMails(db, 2)
  const second = await listWaitingMails(db, 2, first[1])
  expect([...first, ...second, ...(await listWaitingMails(db, 2, second[1]))]).toEqual(ids)
  expect(await listWaitingMails(db, 2, ids.at(-1))).toEqual([])
})
