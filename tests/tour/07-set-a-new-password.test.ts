import { send, signUpUser } from '@tapeline/testing/api-client'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const { gatewayUrl, mailUrl, webUrl } = runningPlatform()
const user = `${gatewayUrl}/api/v1/internal/user`
const NEW_PASSWORD = 'Another horse, battery 2'
const SENT_WITHIN_MS = 60_000

type Mail = { subject: string; text: string; html: string }

/** Mails received by the platform's mail server for one address, newest first. */
async function mailsTo(address: string): Promise<Mail[]> {
  const { body } = await send<{ messages: Mail[] }>(`${mailUrl}/messages?to=${encodeURIComponent(address)}`)
  return body.messages
}

function mailWith(address: string, subject: string): Promise<Mail> {
  const find = async () => (await mailsTo(address)).find((mail) => mail.subject === subject)
  return waitUntil(`the mail "${subject}"`, find, SENT_WITHIN_MS)
}

test('a forgotten password: mail, link, new password, and every old session has ended', async () => {
  const person = await signUpUser(gatewayUrl)
  const forgotten = await send(`${user}/forgot-password`, { body: { email: person.email } })
  expect(forgotten.status).toBe(200)
  const { text, html } = await mailWith(person.email, 'Set a new password')
  const [link = '', token = ''] = /https?:\/\/\S+\/auth\/reset-password\?token=([\w-]{43})/.exec(text) ?? []
  expect(html).toContain(link)

  for (let visit = 0; visit < 2; visit += 1) {
    const state = await send(`${user}/verify-reset-token?token=${token}`)
    expect(state.body).toMatchObject({ success: true, data: { valid: true, email: person.email } })
  }
  const body = { token, newPassword: NEW_PASSWORD }
  expect((await send(`${user}/reset-password`, { body })).body).toMatchObject({ success: true })
  expect((await send(`${user}/reset-password`, { body })).body).toMatchObject({ code: 'reset_token.invalid' })

  expect((await send(`${user}/details`, { token: person.jwtToken })).status).toBe(401)
  const refreshed = await send(`${user}/refresh`, { body: { refreshToken: person.refreshToken } })
  expect(refreshed.status).toBe(401)
  const signedIn = await send(`${user}/login`, { body: { email: person.email, password: NEW_PASSWORD } })
  expect(signedIn.body).toMatchObject({ data: { user: { email_verified: true } } })
  await mailWith(person.email, 'Your password was changed')
})

test('a link has the configured origin, regardless of Host and forwarding headers', async () => {
  const person = await signUpUser(gatewayUrl)
  const headers = { 'x-forwarded-host': 'evil.example', origin: 'https://evil.example', forwarded: 'host=evil.example' }
  await send(`${user}/forgot-password`, { body: { email: person.email }, headers })
  const { text, html } = await mailWith(person.email, 'Set a new password')
  expect(`${text}${html}`).not.toContain('evil.example')
  expect(text).toContain(`${webUrl.replace('127.0.0.1', 'localhost')}/auth/reset-password?token=`)
})

test('a user sees their sessions, and signing out another one applies to its next request', async () => {
  const person = await signUpUser(gatewayUrl)
  const other = await send<{ data: { jwtToken: string } }>(`${user}/login`, {
    body: { email: person.email, password: person.password },
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' },
  })
  const token = other.body.data.jwtToken
  const list = await send<{
    data: { sessions: { id: string; device: string; network: string; is_current: boolean }[] }
  }>(`${user}/sessions`, { token: person.jwtToken })
  expect(list.body.data.sessions.map(({ is_current }) => is_current)).toEqual([true, false])
  // The network depends on the setup: in containers it is a bridge.
  const [here, there] = list.body.data.sessions
  expect(there).toMatchObject({ device: 'Firefox on Linux', network: here?.network })
  expect(there?.network).toMatch(/^\d+\.\d+\.\d+\.0\/24$/)
  expect((await send(`${user}/details`, { token })).status).toBe(200)
  const ended = await send(`${user}/sessions`, { method: 'DELETE', token: person.jwtToken })
  expect(ended.body).toMatchObject({ data: { ended: 1 } })
  expect((await send(`${user}/details`, { token })).status).toBe(401)
  expect((await send(`${user}/details`, { token: person.jwtToken })).status).toBe(200)
})
