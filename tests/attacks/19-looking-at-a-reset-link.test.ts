import { send, signUpUser } from '@tapeline/testing/api-client'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { mailedToken } from './mailed-token.ts'

const { gatewayUrl, webUrl } = runningPlatform()
const user = `${gatewayUrl}/api/v1/internal/user`

test('mail scanners that open every link do not invalidate any of them', async () => {
  const { email } = await signUpUser(gatewayUrl)
  await send(`${user}/forgot-password`, { body: { email } })
  const reset = await mailedToken(email, 'reset-password')
  const verification = await mailedToken(email, 'verify-email')
  for (let visit = 0; visit < 3; visit += 1) {
    const state = await send(`${user}/verify-reset-token?token=${reset}`)
    expect(state.body).toMatchObject({ data: { valid: true, email } })
    const head = await fetch(`${user}/verify-reset-token?token=${reset}`, { method: 'HEAD' })
    expect(head.status).toBe(200)
    for (const link of [`reset-password?token=${reset}`, `verify-email?token=${verification}`]) {
      expect((await fetch(`${webUrl}/auth/${link}`, { headers: { accept: 'text/html' } })).status).toBe(200)
    }
    for (const call of ['verify-email', 'reset-password', 'confirm-email-change']) {
      expect((await send(`${user}/${call}?token=${verification}`, { method: 'GET' })).status).toBe(405)
    }
  }
  expect((await send(`${user}/verify-email`, { body: { token: verification } })).status).toBe(200)
  const body = { token: reset, newPassword: 'Another horse, battery 2' }
  expect((await send(`${user}/reset-password`, { body })).status).toBe(200)
})
