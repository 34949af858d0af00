import { send, signUpUser } from '@tapeline/testing/api-client'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const { gatewayUrl } = runningPlatform()
const newUser = () => ({
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: `${crypto.randomUUID()}@example.com`,
  password: `pw-${crypto.randomUUID()}`,
  mobile: '+441234567',
})

test.each([
  ['role', 'admin'],
  ['is_superuser', true],
  ['subscription_tier', 'pro'],
  ['status', 'active'],
  ['email_verified', true],
  ['id', crypto.randomUUID()],
  ['featureFlags', ['everything']],
])('a sign-up cannot set %s', async (name, value) => {
  for (const path of ['internal/user/create', 'user/create']) {
    const body = newUser()
    const url = `${gatewayUrl}/api/v1/${path}`
    const refused = await send(url, { method: 'PUT', body: { ...body, [name]: value } })
    expect(refused.body).toMatchObject({ status: 400, errors: [{ field: `/${name}` }] })
    const { email, password } = body
    expect((await send(`${gatewayUrl}/api/v1/internal/user/login`, { body: { email, password } })).status).toBe(401)
    const created = await send(url, { method: 'PUT', body })
    expect(created.body).toMatchObject({
      data: { user: { role: 'user', is_superuser: false, subscription_tier: 'free', email_verified: false } },
    })
  }
})

test.each([
  ['role', 'admin'],
  ['is_superuser', true],
  ['subscription_tier', 'pro'],
  ['status', 'inactive'],
  ['email_verified', true],
  ['email', 'another@example.com'],
  ['version', 99],
])('users cannot change their own %s', async (name, value) => {
  const { jwtToken, user } = await signUpUser(gatewayUrl)
  const details = async () => (await send(`${gatewayUrl}/api/v1/internal/user/details`, { token: jwtToken })).body
  const before = await details()
  const body = { first_name: 'Eve', [name]: value }
  const refused = await send(`${gatewayUrl}/api/v1/internal/user/update`, { method: 'PATCH', token: jwtToken, body })
  expect(refused.body).toMatchObject({ status: 400, errors: [{ field: `/${name}` }] })
  expect(await details()).toEqual(before)
  expect(before).toMatchObject({ data: { user: { id: user.id, first_name: 'Ada', role: 'user' } } })
})

test('additional fields at sign-in and at key creation are rejected too', async () => {
  const { email, password, jwtToken } = await signUpUser(gatewayUrl)
  const login = { email, password, role: 'admin' }
  expect((await send(`${gatewayUrl}/api/v1/internal/user/login`, { body: login })).status).toBe(400)
  for (const [name, value, pointer] of [
    ['user_id', crypto.randomUUID(), '/user_id'],
    ['scopes', ['admin'], '/scopes/0'],
    ['environment', 'production', '/environment'],
    ['state', 'active', '/state'],
  ] as const) {
    const body = { name: 'key', [name]: value }
    const reply = await send(`${gatewayUrl}/api/v1/internal/api-keys`, { token: jwtToken, body })
    expect(reply.body).toMatchObject({ status: 400, errors: [{ field: pointer }] })
  }
})
