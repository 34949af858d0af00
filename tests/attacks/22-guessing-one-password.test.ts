import type { TrustedDevice } from '@tapeline/contracts/identity/devices'
import type { SignedIn } from '@tapeline/contracts/identity/http'
import { send, signUpUser } from '@tapeline/testing/api-client'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { mailedToken } from './mailed-token.ts'
import { ownAddress, rawRequest, sendRaw } from './raw-request.ts'

const { gatewayUrl, gatewayUrls } = runningPlatform()
/** Without throttles by address, which do not help against distributed guessing. */
const openGateways = gatewayUrls.slice(0, 2)
const LOGIN = '/api/v1/internal/user/login'
/** Wrong passwords before an account is delayed, and the number tried here. */
const FREE_TRIES = 10
const TRIES = 20

const guess = (email: string) => JSON.stringify({ email, password: 'not the password' })

/** Spellings of one address: the platform normalizes each to the same account. */
function spellingsOf(email: string): string[] {
  return [
    guess(email),
    guess(email.toUpperCase()),
    guess(` ${email} `),
    Buffer.from(guess(email.replace('example', 'ｅｘａｍｐｌｅ'))).toString('latin1'),
    `\u00ef\u00bb\u00bf${guess(email)}`,
    `{"email":"x","email":${JSON.stringify(email)},"password":"not the password"}`,
    `{"\\u0065mail":${JSON.stringify(email)},"password":"not the password"}`,
  ]
}

/** Guesses from different addresses and networks, all at once, at two gateways. */
async function guessFromEverywhere(email: string): Promise<{ statuses: number[]; passedS: number }> {
  const startMs = performance.now()
  const spellings = spellingsOf(email)
  const answers = Array.from({ length: TRIES }, async (_, n) => {
    const headers = ['content-type: application/json', `x-forwarded-for: 10.0.${n}.1`]
    const bytes = rawRequest({ method: 'POST', target: LOGIN, headers, body: spellings[n % spellings.length] ?? '' })
    return sendRaw(openGateways[n % 2] ?? '', bytes, { localAddress: ownAddress() })
  })
  const statuses = (await Promise.all(answers)).map(({ statuses: [status = 0] }) => status)
  return { statuses, passedS: (performance.now() - startMs) / 1_000 }
}

/** A client that respects the delay gets one more attempt after 1 s, 2 s, 4 s … */
function expectThrottled({ statuses, passedS }: { statuses: number[]; passedS: number }): void {
  expect(statuses).not.toContain(200)
  expect(statuses).toContain(429)
  const tried = statuses.filter((status) => status === 401).length
  expect(tried).toBeGreaterThan(0)
  expect(tried).toBeLessThanOrEqual(FREE_TRIES + 1 + Math.log2(1 + passedS))
}

test('distributed guessing is stopped, while the account’s known device signs in at once', async () => {
  const { email, password, deviceToken } = await signUpUser(gatewayUrl)
  expectThrottled(await guessFromEverywhere(email))
  for (const url of openGateways) {
    const reply = await send<{ data: SignedIn }>(url + LOGIN, { body: { email, password, deviceToken } })
    expect([reply.status, reply.body]).toMatchObject([200, { data: { user: { email } } }])
  }
})

test('a device token of another account, or a modified one, does not skip the delay', async () => {
  const victim = await signUpUser(gatewayUrl)
  const { deviceToken: other } = await signUpUser(gatewayUrl)
  const { email, password, deviceToken, user } = victim
  expectThrottled(await guessFromEverywhere(email))
  const startMs = performance.now()
  const tokens = [other, other.replace(/^[0-9a-f-]{36}/, user.id), `${deviceToken.slice(0, -2)}AA`]
  const bodies = [...tokens, ...tokens, ...tokens, ...tokens].map((token) => ({ email, password, deviceToken: token }))
  const wrong = bodies.map((body) => send(gatewayUrl + LOGIN, { body: { ...body, password: `${password}x` } }))
  const replies = await Promise.all(wrong)
  const passedS = (performance.now() - startMs) / 1_000
  const refused = replies.filter(({ status }) => status === 429)
  const tried = replies.filter(({ status }) => status === 401).length
  expect(tried).toBeLessThanOrEqual(1 + Math.log2(1 + passedS))
  expect(replies.map(({ status }) => status)).not.toContain(200)
  for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
})

test('a known device with wrong passwords is delayed too', async () => {
  const { email, password, deviceToken } = await signUpUser(gatewayUrl)
  const statuses = []
  for (let n = 0; n < 6; n += 1) {
    const reply = await send(gatewayUrl + LOGIN, { body: { email, password: `${password}${n}`, deviceToken } })
    statuses.push(reply.status)
  }
  expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401])
  // On a slow machine the first second may have passed; the owner can still sign in from another address.
  expect([401, 429]).toContain(statuses[5])
  expect((await send(gatewayUrl + LOGIN, { body: { email, password } })).status).toBe(200)
})

test('an unknown e-mail address is throttled in the same way', async () => {
  expectThrottled(await guessFromEverywhere(`${crypto.randomUUID()}@example.com`))
})

test('during guessing by others, the owner on a new device requests a link, opens it and signs in at once', async () => {
  const { email, password } = await signUpUser(gatewayUrl)
  const user = `${gatewayUrl}/api/v1/internal/user`
  expectThrottled(await guessFromEverywhere(email))
  const requested = await send(`${user}/device-link`, { body: { email } })
  expect(requested.status).toBe(200)
  const token = await mailedToken(email, 'trust-device')
  const trusted = await send<{ data: TrustedDevice }>(`${user}/trust-device`, { body: { token } })
  const { deviceToken } = trusted.body.data
  const { statuses } = await guessFromEverywhere(email)
  expect(statuses).not.toContain(200)
  expect(statuses).toContain(429)
  for (const url of openGateways)
    expect((await send(url + LOGIN, { body: { email, password, deviceToken } })).status).toBe(200)
})

test('requesting the link reveals nothing: the same response for every address, and the token only in the mail', async () => {
  const { email } = await signUpUser(gatewayUrl)
  const user = `${gatewayUrl}/api/v1/internal/user`
  const unknown = `${crypto.randomUUID()}@example.com`
  const answers = []
  for (const address of [email, unknown]) {
    const { status, body } = await send(`${user}/device-link`, { body: { email: address } })
    answers.push({ status, body })
  }
  expect(answers[0]).toEqual(answers[1])
  const token = await mailedToken(email, 'trust-device')
  for (const guessed of ['', 'x', 'A'.repeat(43), token.slice(1) + token.slice(0, 1)]) {
    const refused = await send(`${user}/trust-device`, { body: { token: guessed } })
    expect(refused).toMatchObject({ status: 400, body: { code: 'email_link.invalid' } })
  }
  for (const call of ['verify-email', 'reset-password', 'confirm-email-change', 'export/open']) {
    const body = call === 'reset-password' ? { token, newPassword: 'Another horse, battery 2' } : { token }
    expect([400, 404]).toContain((await send(`${user}/${call}`, { body })).status)
  }
  expect((await send(`${user}/trust-device`, { body: { token } })).status).toBe(200)
  expect((await send(`${user}/trust-device`, { body: { token } })).status).toBe(400)
})
