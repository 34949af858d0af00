import { readFileSync } from 'node:fs'
import { send, signUpUser } from '@tapeline/testing/api-client'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { mailedToken, mailWith } from './mailed-token.ts'

const { gatewayUrl, webUrl, logFile } = runningPlatform()
const user = `${gatewayUrl}/api/v1/internal/user`

test('no token of a link is written to a log, however it is requested', async () => {
  const { email } = await signUpUser(gatewayUrl)
  await send(`${user}/forgot-password`, { body: { email } })
  const reset = await mailedToken(email, 'reset-password')
  const verification = await mailedToken(email, 'verify-email')
  await send(`${user}/verify-reset-token?token=${reset}`)
  await send(`${user}/verify-reset-token?token=${reset}&token=${reset}`)
  await send(`${user}/reset-password?token=${reset}`, { body: { token: reset, newPassword: 'weak' } })
  await send(`${user}/reset-password/${reset}`, { body: {} })
  await send(`${user}/verify-email`, { body: { token: verification } })
  await send(`${user}/verify-email?token=${verification}`, { body: {} })
  await fetch(`${webUrl}/auth/reset-password?token=${reset}`, { headers: { accept: 'text/html' } })
  const done = await send(`${user}/reset-password`, { body: { token: reset, newPassword: 'Another horse, battery 2' } })
  expect(done.status).toBe(200)
  // A later line is in the log, so earlier lines are too.
  await mailWith(email, 'Your password was changed')
  const marker = `marker-${crypto.randomUUID()}`
  await send(`${gatewayUrl}/api/v1/health`, { headers: { 'user-agent': marker } })
  const log = await waitUntil('a log that is not empty', async () => readFileSync(logFile, 'utf8') || undefined)
  for (const token of [reset, verification]) expect(log).not.toContain(token)
})

test('neither the token nor the address of a link for a new device is written to a log, whether or not the address is known', async () => {
  const { email } = await signUpUser(gatewayUrl)
  const unknown = `${crypto.randomUUID()}@example.com`
  for (const address of [email, unknown]) {
    expect((await send(`${user}/device-link`, { body: { email: address } })).status).toBe(200)
    await send(`${user}/device-link?email=${address}`, { body: { email: address } })
  }
  const token = await mailedToken(email, 'trust-device')
  await send(`${user}/trust-device?token=${token}`, { body: { token: `${token.slice(0, -1)}x` } })
  await fetch(`${webUrl}/auth/trust-device?token=${token}`, { headers: { accept: 'text/html' } })
  expect((await send(`${user}/trust-device`, { body: { token } })).status).toBe(200)
  expect((await send(`${user}/trust-device`, { body: { token } })).status).toBe(400)
  const log = await waitUntil('a log that is not empty', async () => readFileSync(logFile, 'utf8') || undefined)
  for (const secret of [token, email, unknown]) expect(log).not.toContain(secret)
})

test('pages of mailed links send no Referer, and reports about a link are not cached', async () => {
  for (const page of ['reset-password', 'verify-email', 'confirm-email', 'export']) {
    const { headers } = await fetch(`${webUrl}/auth/${page}?token=${'A'.repeat(43)}`, {
      headers: { accept: 'text/html' },
    })
    expect(headers.get('referrer-policy'), page).toBe('no-referrer')
  }
  const { headers } = await send(`${user}/verify-reset-token?token=${'A'.repeat(43)}`)
  expect(headers.get('cache-control')).toContain('no-store')
})
