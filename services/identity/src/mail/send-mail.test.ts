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

test('an address receives at most five mails about sign-ups with it per hour', async () => {
  const { email } = await newPerson()
  const outcomes: string[] = []
  const signUpAgain = async () => {
    await signUp(deps, anonymous, someSignUp({ email: email.toUpperCase() })).catch(() => undefined)
    const waiting = (await mailsTo(email)).filter(({ sent_at }) => sent_at === null)
    for (const { id } of waiting) outcomes.push(await sendMail(deps, async () => undefined, id))
  }
  for (let n = 0; n < 6; n += 1) await signUpAgain()
  expect(outcomes).toEqual([...Array.from({ length: 5 }, () => 'sent'), 'too many'])
  clock.nowMs += 3_600_000
  await signUpAgain()
  expect(outcomes.at(-1)).toBe('sent')
})

test('with repeated requests, the newest of at most twelve mails an hour contains a valid link', async () => {
  const { email } = await newPerson()
  const sentTexts: string[] = []
  for (let n = 0; n < 30; n += 1) {
    for (let request = 0; request < 7; request += 1) await forgotPassword(deps, { email })
    const waiting = (await mailsTo(email)).filter(({ sent_at }) => sent_at === null)
    for (const { id } of waiting) await sendMail(deps, async ({ text }) => void sentTexts.push(text), id)
    clock.nowMs += 2 * 60_000 - 1
    const token = /token=([\w-]{43})/.exec(sentTexts.at(-1) ?? '')?.[1] ?? ''
    expect(await verifyResetToken(deps, { token })).toMatchObject({ valid: true })
  }
  expect(sentTexts.length).toBeLessThanOrEqual(12)
})

test('the queue pages through all mails, also those written at the same time', async () => {
  await deleteMailsBefore(db, new Date(clock.nowMs + 1), 10_000)
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
