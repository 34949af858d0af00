import { send, signUpUser } from '@tapeline/testing/api-client'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { mailsTo, mailWith } from './mailed-token.ts'
import { rawRequest, sendRaw } from './raw-request.ts'

const { gatewayUrl, webUrl } = runningPlatform()
const EVIL = 'evil.example'

test.each([
  ['Host', (bytes: string) => bytes.replace('host: localhost', `host: ${EVIL}`), []],
  ['X-Forwarded-Host', (bytes: string) => bytes, [`x-forwarded-host: ${EVIL}`, `x-forwarded-proto: http`]],
  ['Forwarded', (bytes: string) => bytes, [`forwarded: host=${EVIL};proto=http`]],
  ['Origin and Referer', (bytes: string) => bytes, [`origin: https://${EVIL}`, `referer: https://${EVIL}/`]],
  ['X-Original-URL', (bytes: string) => bytes, [`x-original-url: https://${EVIL}/`, `x-host: ${EVIL}`]],
])('a link has the configured origin, whatever %s contains', async (_, poison, headers) => {
  const { email } = await signUpUser(gatewayUrl)
  const body = JSON.stringify({ email })
  const bytes = rawRequest({
    method: 'POST',
    target: '/api/v1/internal/user/forgot-password',
    headers: ['content-type: application/json', ...headers],
    body,
  })
  const { statuses } = await sendRaw(gatewayUrl, poison(bytes))
  // Rejected or answered, neither may redirect to another host.
  expect([200, 400, 403, 421]).toContain(statuses[0])
  if (statuses[0] !== 200) await send(`${gatewayUrl}/api/v1/internal/user/forgot-password`, { body: { email } })
  const { text } = await mailWith(email, 'Set a new password')
  expect(text).toContain(`${webUrl.replace('127.0.0.1', 'localhost')}/auth/reset-password?token=`)
  for (const mail of await mailsTo(email)) expect(JSON.stringify(mail)).not.toContain(EVIL)
})
