import type { DeviceLogin, StartedDeviceLogin } from '@tapeline/contracts/identity/device-logins'
import { createKeyFor, send, signUpUser } from '@tapeline/testing/api-client'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const { gatewayUrl } = runningPlatform()
const LOGINS = `${gatewayUrl}/api/v1/internal/user/device-logins`
type Problem = { code: string }

async function start(): Promise<StartedDeviceLogin> {
  const body = { client_name: 'attack' }
  return (await send<{ data: StartedDeviceLogin }>(LOGINS, { body })).body.data
}
const finish = (device_code: string) => send<Problem>(`${LOGINS}/finish`, { body: { device_code } })
const decide = (code: string, decision: string, token?: string) =>
  send<Problem>(`${LOGINS}/${code}`, { method: 'PUT', body: { decision }, ...(token === undefined ? {} : { token }) })

test('a device code opens one session, even if it is redeemed twice at the same time, and is invalid once that is used', async () => {
  const { jwtToken } = await signUpUser(gatewayUrl)
  const { device_code, user_code } = await start()
  expect((await decide(user_code, 'approve', jwtToken)).status).toBe(200)
  const redeem = () => send<{ data: { refreshToken: string } }>(`${LOGINS}/finish`, { body: { device_code } })
  const answers = await Promise.all([redeem(), redeem(), redeem()])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  const [refreshToken, ...others] = new Set(answers.map(({ body }) => body.data.refreshToken))
  expect(others).toEqual([])
  const refreshed = await send(`${gatewayUrl}/api/v1/internal/user/refresh`, { body: { refreshToken } })
  expect(refreshed.status).toBe(200)
  expect((await finish(device_code)).body.code).toBe('device_login.expired')
})

test('only a session approves a code, not an anonymous caller, an API key, or another account afterwards', async () => {
  const owner = await signUpUser(gatewayUrl)
  const other = await signUpUser(gatewayUrl)
  const { apiKey } = await createKeyFor(gatewayUrl, owner.jwtToken)
  const { device_code, user_code } = await start()
  expect((await decide(user_code, 'approve')).status).toBe(401)
  expect((await decide(user_code, 'approve', apiKey)).status).toBe(403)
  expect((await finish(device_code)).body.code).toBe('device_login.pending')
  expect((await decide(user_code, 'approve', owner.jwtToken)).status).toBe(200)
  for (const decision of ['approve', 'deny']) {
    expect(await decide(user_code, decision, other.jwtToken)).toMatchObject({
      status: 404,
      body: { code: 'device_login.not_found' },
    })
  }
  const { body } = await send<{ data: { user: { email: string } } }>(`${LOGINS}/finish`, { body: { device_code } })
  expect(body.data.user.email).toBe(owner.email)
})

test('denied, guessed and mistyped codes are rejected', async () => {
  const { jwtToken } = await signUpUser(gatewayUrl)
  const { device_code, user_code } = await start()
  const { body } = await send<{ data: DeviceLogin }>(`${LOGINS}/${user_code}`, { token: jwtToken })
  expect(JSON.stringify(body)).not.toContain(device_code)
  expect((await decide(user_code, 'deny', jwtToken)).status).toBe(200)
  expect((await finish(device_code)).body.code).toBe('device_login.denied')
  expect((await finish('A'.repeat(43))).body.code).toBe('device_login.expired')
  expect((await decide('BBBB-BBBB', 'approve', jwtToken)).body.code).toBe('device_login.not_found')
  expect((await decide('AEIO-UUUU', 'approve', jwtToken)).status).toBe(400)
})
