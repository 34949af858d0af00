import { afterAll, expect, test } from 'vitest'
import { changePassword } from '../passwords/change-password.ts'
import { forgotPassword } from '../passwords/forgot-password.ts'
import { resetPassword } from '../passwords/reset-password.ts'
import { GOOD_PASSWORD } from '../../test/deps.fixture.ts'
import { testIdentity } from '../../test/identity.fixture.ts'
import { listWaitingMails } from '../mail/mail-queries.ts'
import { testMails } from '../../test/mails.fixture.ts'
import { sendMail } from '../mail/send-mail.ts'
import { logIn } from '../sessions/log-in.ts'
import { changeUser } from '../users/change-user.ts'
import { requestDeviceLink } from './request-device-link.ts'
import { trustDevice } from './trust-device.ts'

const { db, deps, clock, anonymous, newPerson, eventsOf, close } = await testIdentity()
afterAll(close)
const { deliver, tokenFor } = testMails(deps)
const MINUTE_MS = 60_000
const operator = { kind: 'service', service: 'operator' } as const
const invalid = { code: 'email_link.invalid', status: 400 }
const owner = { ...anonymous, network: '198.51.100.0/24' }

const request = (email: string) => requestDeviceLink(deps, { email })
const trust = (token: string) => trustDevice(deps, owner, { token })
const signInFrom = (email: string, deviceToken?: string, password = GOOD_PASSWORD) =>
  logIn(deps, owner, { email, password, ...(deviceToken === undefined ? {} : { deviceToken }) })

/** Wrong passwords from many networks until the whole account is delayed. */
async function guessFromEverywhere(email: string): Promise<void> {
  let isDelayed = false
  for (let n = 0; n < 40 && !isDelayed; n += 1) {
    const otherUser = { ...anonymous, network: `10.0.${n}.0/24` }
    const guess = logIn(deps, otherUser, { email, password: `wrong ${n}` })
    isDelayed = await guess.then(
      () => false,
      ({ code }: { code: string }) => code === 'throttle.exceeded',
    )
  }
  expect(isDelayed).toBe(true)
}

function newestLink(email: string) {
  const links = db.selectFrom('email_link').select('expires_at').where('purpose', '=', 'device')
  return links.where('email', '=', email).executeTakeFirstOrThrow()
}

async function linkCount(email: string): Promise<number> {
  return (await deliver(email)).filter(({ text }) => text.includes('/auth/trust-device?token=')).length
}

test('during guessing the owner on a new device signs in immediately after opening the mailed link', async () => {
  const { email, actor } = await newPerson()
  await guessFromEverywhere(email)
  await expect(signInFrom(email)).rejects.toMatchObject({ code: 'throttle.exceeded' })
  await request(email.toUpperCase())
  const trusted = await trust(await tokenFor(email, 'trust-device'))
  expect(trusted.email).toBe(email)
  await guessFromEverywhere(email)
  expect((await signInFrom(email, trusted.deviceToken)).user.email).toBe(email)
  await expect(signInFrom(email)).rejects.toMatchObject({ code: 'throttle.exceeded' })
  const events = await eventsOf(actor.userId)
  expect(events.filter(({ type }) => type === 'identity.device-trusted.v1')).toHaveLength(1)
})

test('the link works once, for ten minutes, and is stored as a hash only', async () => {
  const { email } = await newPerson()
  await request(email)
  const used = await tokenFor(email, 'trust-device')
  const rows = await db.selectFrom('email_link').selectAll().where('purpose', '=', 'device').execute()
  expect(rows.some(({ hash }) => hash.toString('base64url') === used)).toBe(false)
  await trust(used)
  await expect(trust(used)).rejects.toMatchObject(invalid)
  clock.nowMs += MINUTE_MS
  await request(email)
  const late = await tokenFor(email, 'trust-device')
  clock.nowMs += 10 * MINUTE_MS
  await expect(trust(late)).rejects.toMatchObject(invalid)
  for (const token of ['', 'short', 'A'.repeat(43), 'A'.repeat(1_000)])
    await expect(trust(token)).rejects.toMatchObject(invalid)
})

test('within five minutes, requests by other clients neither replace the link nor send another mail', async () => {
  const { email } = await newPerson()
  await request(email)
  const token = await tokenFor(email, 'trust-device')
  for (let n = 0; n < 20; n += 1) {
    clock.nowMs += 14_000
    await request(email)
    expect(await linkCount(email)).toBe(1)
  }
  expect((await trust(token)).email).toBe(email)
})

test('with repeated requests by other clients, the newest of at most twelve mails an hour contains a valid link', async () => {
  const { email } = await newPerson()
  for (let n = 0; n < 30; n += 1) {
    await request(email)
    await deliver(email)
    clock.nowMs += 2 * MINUTE_MS - 1
    const { expires_at } = await newestLink(email)
    expect(expires_at.getTime()).toBeGreaterThan(clock.nowMs)
  }
  expect(await linkCount(email)).toBeLessThanOrEqual(12)
  expect((await trust(await tokenFor(email, 'trust-device'))).email).toBe(email)
})

test('an unknown address and an inactive account get no mail, and the response is the same', async () => {
  const { email, actor } = await newPerson()
  await changeUser(deps, operator, { userId: actor.userId, status: 'inactive' })
  const unknown = `${crypto.randomUUID()}@example.com`
  expect(await Promise.all([request(email), request(unknown)])).toEqual([undefined, undefined])
  expect([await linkCount(email), await linkCount(unknown)]).toEqual([0, 0])
})

test('a new password invalidates the link, also one whose mail is still waiting', async () => {
  const { email, actor } = await newPerson()
  await request(email)
  const token = await tokenFor(email, 'trust-device')
  await request(email)
  const waiting = await listWaitingMails(db, 500)
  await changePassword(deps, actor, { currentPassword: GOOD_PASSWORD, newPassword: 'Another horse, battery 2' })
  await expect(trust(token)).rejects.toMatchObject(invalid)
  for (const id of waiting) expect(await sendMail(deps, async () => undefined, id)).toBe('done before')
})

test('the mail retried after its link was used does not make the link valid again', async () => {
  const { email } = await newPerson()
  await request(email)
  const [id = ''] = (await listWaitingMails(db, 500)).slice(-1)
  let text = ''
  const unanswered = sendMail(
    deps,
    async (mail) => {
      text = mail.text
      throw new Error('connection lost after DATA')
    },
    id,
  )
  await expect(unanswered).rejects.toThrow('connection lost')
  const token = /trust-device\?token=([\w-]{43})/.exec(text)?.[1] ?? ''
  await trust(token)
  await sendMail(deps, async () => undefined, id)
  await expect(trust(token)).rejects.toMatchObject(invalid)
})

test('the browser that reset the password through a link signs in immediately during guessing', async () => {
  const { email } = await newPerson()
  await guessFromEverywhere(email)
  await forgotPassword(deps, { email })
  const token = await tokenFor(email, 'reset-password')
  const newPassword = 'Another horse, battery 2'
  const { deviceToken } = await resetPassword(deps, owner, { token, newPassword })
  await guessFromEverywhere(email)
  expect((await signInFrom(email, deviceToken, newPassword)).user.email).toBe(email)
})
