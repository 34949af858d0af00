import { AppError } from '@tapeline/service/app-error'
import { afterAll, expect, test } from 'vitest'
import { GOOD_PASSWORD } from '../../test/deps.fixture.ts'
import { testIdentity } from '../../test/identity.fixture.ts'
import { listWaitingMails } from '../mail/mail-queries.ts'
import { testMails } from '../../test/mails.fixture.ts'
import { sendMail } from '../mail/send-mail.ts'
import { changeEmail } from './change-email.ts'
import { confirmEmailChange } from './confirm-email-change.ts'
import { resendVerification } from './resend-verification.ts'
import { verifyEmail } from './verify-email.ts'

const { deps, clock, anonymous, newPerson, close } = await testIdentity()
afterAll(close)
const { deliver, tokenFor } = testMails(deps)

const ROUNDS = 15
const MINUTE_MS = 60_000
/** The newer link may have been written first. */
const OUTCOMES = ['opened', 'email_link.invalid']

/** Sends the waiting mails while the previous link is opened: neither may block the other. */
async function together(open: () => Promise<unknown>): Promise<string> {
  const waiting = await listWaitingMails(deps.db, 10)
  expect(waiting.length).toBeGreaterThan(0)
  const sending = Promise.all(waiting.map((id) => sendMail(deps, async () => undefined, id)))
  const opened = open().then(
    () => 'opened',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  )
  await sending
  return opened
}

test('a link can be opened while a newer one is written', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { actor, email } = await newPerson()
    const token = await tokenFor(email, 'verify-email')
    clock.nowMs += MINUTE_MS
    await resendVerification(deps, actor)
    expect(OUTCOMES).toContain(await together(() => verifyEmail(deps, anonymous, { token })))
  }
})

test('a new address can be confirmed while another one is requested', async () => {
  const address = () => `new-${crypto.randomUUID()}@example.com`
  for (let round = 0; round < ROUNDS; round += 1) {
    const { actor, email } = await newPerson()
    await deliver(email)
    const requestChange = (newEmail: string) => changeEmail(deps, actor, { newEmail, currentPassword: GOOD_PASSWORD })
    const to = address()
    await requestChange(to)
    const token = await tokenFor(to, 'confirm-email')
    clock.nowMs += MINUTE_MS
    await requestChange(address())
    expect(OUTCOMES).toContain(await together(() => confirmEmailChange(deps, anonymous, { token })))
  }
})
