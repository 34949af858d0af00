import { send, signUpUser } from '@tapeline/testing/api-client'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const { gatewayUrl } = runningPlatform()
const user = (path: string) => `${gatewayUrl}/api/v1/internal/user/${path}`

test('a user signs up, signs out, signs in again, and sees their own details', async () => {
  const account = await signUpUser(gatewayUrl)
  const details = await send(user('details'), { token: account.jwtToken })
  expect(details.status).toBe(200)
  expect(details.body).toMatchObject({
    success: true,
    data: {
      user: { email: account.email, first_name: 'Ada', role: 'user', subscription_tier: 'free', status: 'active' },
      role: 'user',
      featureFlags: expect.arrayContaining(['api_key_management', 'api_key_audit']),
    },
  })
  expect((await send(user('logout'), { method: 'PATCH', token: account.jwtToken })).status).toBe(200)
  const afterwards = await send(user('details'), { token: account.jwtToken })
  expect(afterwards.status).toBe(401)
  expect(afterwards.body).toMatchObject({ success: false, code: 'session.ended' })
  const again = await send(user('login'), { body: { email: account.email, password: account.password } })
  expect(again.body).toMatchObject({ success: true, data: { user: { email: account.email } } })
})

test('an access token is renewed once with its refresh token', async () => {
  const account = await signUpUser(gatewayUrl)
  const renewed = await send<{ data: { jwtToken: string } }>(user('refresh'), {
    body: { refreshToken: account.refreshToken },
  })
  expect(renewed.status).toBe(200)
  expect((await send(user('details'), { token: renewed.body.data.jwtToken })).status).toBe(200)
})

test('a wrong password and an unknown e-mail get the same answer', async () => {
  const { email } = await signUpUser(gatewayUrl)
  const wrong = await send<object>(user('login'), { body: { email, password: 'not the password' } })
  const unknown = await send<object>(user('login'), { body: { email: `x${email}`, password: 'not the password' } })
  expect(wrong.status).toBe(401)
  expect(wrong.body).toMatchObject({ message: 'Incorrect username or password' })
  const { request_id: one, ...wrongBody } = { request_id: '', ...wrong.body }
  const { request_id: two, ...unknownBody } = { request_id: '', ...unknown.body }
  expect(one).not.toBe(two)
  expect(unknownBody).toEqual(wrongBody)
})
