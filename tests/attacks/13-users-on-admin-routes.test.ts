import { createKeyFor, send, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { callOperator } from '@tapeline/testing/operator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const platform = runningPlatform()
const { gatewayUrl } = platform
const USERS = `${gatewayUrl}/api/v1/admin/users`

const operator = callOperator(platform)
afterAll(() => operator.close())

let victim: TestAccount
beforeAll(async () => {
  victim = await signUpUser(gatewayUrl)
})

const roleOf = async ({ jwtToken }: TestAccount) =>
  (await send(`${gatewayUrl}/api/v1/internal/user/details`, { token: jwtToken })).body

async function expectRefused(token: string | undefined, status: number): Promise<void> {
  const who = token === undefined ? {} : { token }
  expect((await send(`${USERS}?search=${victim.email}`, who)).status).toBe(status)
  for (const userId of [victim.user.id, crypto.randomUUID()]) {
    const body = { userId, role: 'admin', status: 'inactive' }
    expect((await send(USERS, { ...who, method: 'PATCH', body })).status).toBe(status)
  }
  expect(await roleOf(victim)).toMatchObject({ data: { role: 'user', user: { status: 'active' } } })
}

test.each(['user', 'tester'])('a %s neither lists nor changes users, themselves included', async (role) => {
  const { jwtToken, user } = await signUpUser(gatewayUrl)
  await operator.ofUsers('set-role', user.id, role)
  await expectRefused(jwtToken, 403)
  const themselves = { userId: user.id, role: 'admin' }
  expect((await send(USERS, { method: 'PATCH', token: jwtToken, body: themselves })).status).toBe(403)
  expect((await send(`${gatewayUrl}/api/v1/internal/user/details`, { token: jwtToken })).body).toMatchObject({
    data: { role },
  })
})

test('anonymous callers and an admin’s API key are rejected', async () => {
  await expectRefused(undefined, 401)
  const { jwtToken, user } = await signUpUser(gatewayUrl)
  await operator.ofUsers('set-role', user.id, 'admin')
  const { apiKey } = await createKeyFor(gatewayUrl, jwtToken)
  await expectRefused(apiKey, 403)
})

test('an admin can change exactly the two fields; additional fields are rejected', async () => {
  const { jwtToken, user } = await signUpUser(gatewayUrl)
  await operator.ofUsers('set-role', user.id, 'admin')
  const found = await send(`${USERS}?search=${victim.email}`, { token: jwtToken })
  expect(found.body).toMatchObject({ data: { users: [{ id: victim.user.id, email: victim.email, role: 'user' }] } })
  expect(JSON.stringify(found.body)).not.toMatch(/password|hash|token/i)
  for (const [field, value] of [
    ['email_verified', true],
    ['password_hash', 'x'],
    ['subscription_tier', 'pro'],
  ]) {
    const body = { userId: victim.user.id, role: 'tester', [String(field)]: value }
    expect((await send(USERS, { method: 'PATCH', token: jwtToken, body })).body).toMatchObject({
      status: 400,
      errors: [{ field: `/${String(field)}` }],
    })
  }
  const body = { userId: victim.user.id, role: 'tester' }
  const changed = await send(USERS, { method: 'PATCH', token: jwtToken, body })
  expect(changed.body).toMatchObject({ data: { user: { id: victim.user.id, role: 'tester' } } })
  expect(await roleOf(victim)).toMatchObject({ data: { role: 'tester' } })
})
