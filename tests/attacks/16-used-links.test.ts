import { send, signUpUser } from '@tapeline/testing/api-client'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { mailedToken } from './mailed-token.ts'

const { gatewayUrl, identityDatabaseUrl } = runningPlatform()
const user = `${gatewayUrl}/api/v1/internal/user`
const PASSWORD = 'Another horse, battery 2'

async function resetToken(email: string, beside: string[] = []): Promise<string> {
  await send(`${user}/forgot-password`, { body: { email } })
  return mailedToken(email, 'reset-password', beside)
}

const reset = (token: string, newPassword = PASSWORD) =>
  send(`${user}/reset-password`, { body: { token, newPassword } })
const signIn = (email: string, password: string) => send(`${user}/login`, { body: { email, password } })
const invalid = { status: 400, code: 'reset_token.invalid' }

async function inDatabase(sql: string, values: unknown[]): Promise<void> {
  const client = new Client({ connectionString: identityDatabaseUrl })
  await client.connect()
  try {
    await client.query(sql, values)
  } finally {
    await client.end()
  }
}

test('a used reset link cannot set a second password', async () => {
  const { email } = await signUpUser(gatewayUrl)
  const token = await resetToken(email)
  expect((await reset(token)).status).toBe(200)
  expect((await reset(token, `${PASSWORD}, taken over`)).body).toMatchObject(invalid)
  expect((await signIn(email, `${PASSWORD}, taken over`)).status).toBe(401)
  expect((await signIn(email, PASSWORD)).status).toBe(200)
})

test('a reset link is invalidated by one that is five minutes newer, and expires', async () => {
  const { email, user: owner, password } = await signUpUser(gatewayUrl)
  const older = await resetToken(email)
  await inDatabase(`update password_reset set created_at = now() - interval '5 minutes' where user_id = $1`, [owner.id])
  const newer = await resetToken(email, [older])
  expect((await reset(older)).body).toMatchObject(invalid)
  await inDatabase(`update password_reset set expires_at = now() - interval '1 second' where user_id = $1`, [owner.id])
  expect((await reset(newer)).body).toMatchObject(invalid)
  expect((await signIn(email, password)).status).toBe(200)
})

test('verification links work once, and only for their own purpose', async () => {
  const { email, jwtToken: token, password } = await signUpUser(gatewayUrl)
  const verification = await mailedToken(email, 'verify-email')
  expect((await reset(verification)).body).toMatchObject(invalid)
  const newEmail = `${crypto.randomUUID()}@example.com`
  const requested = await send(`${user}/change-email`, { token, body: { newEmail, currentPassword: password } })
  expect(requested.status).toBe(200)
  const change = await mailedToken(newEmail, 'confirm-email')
  const use = (call: string, linkToken: string) => send(`${user}/${call}`, { body: { token: linkToken } })
  expect((await use('confirm-email-change', verification)).body).toMatchObject({ code: 'email_link.invalid' })
  expect((await use('verify-email', change)).body).toMatchObject({ code: 'email_link.invalid' })
  expect((await use('confirm-email-change', change)).body).toMatchObject({ data: { email: newEmail } })
  expect((await use('confirm-email-change', change)).body).toMatchObject({ code: 'email_link.invalid' })
  // The link sent to the old address is invalidated by the change.
  expect((await use('verify-email', verification)).body).toMatchObject({ code: 'email_link.invalid' })
})
