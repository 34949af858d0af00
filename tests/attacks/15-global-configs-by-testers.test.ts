import { send, signUpUser } from '@tapeline/testing/api-client'
import { callOperator } from '@tapeline/testing/operator'
import { afterAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const platform = runningPlatform()
const ADMIN = `${platform.gatewayUrl}/api/v1/admin`
const CONFIGS = `${ADMIN}/global-configs`
const operator = callOperator(platform)
afterAll(() => operator.close())

async function newUser(role: 'tester' | 'admin'): Promise<string> {
  const { user, jwtToken } = await signUpUser(platform.gatewayUrl)
  await operator.ofUsers('set-role', user.id, role)
  return jwtToken
}

test('a tester neither reads nor writes global configurations', async () => {
  const [tester, admin] = [await newUser('tester'), await newUser('admin')]
  const key = `attack.${crypto.randomUUID()}`
  const write = (token: string) =>
    send(CONFIGS, { method: 'PUT', token, body: { updates: [{ id: null, key, value: 'mine' }] } })
  expect((await write(tester)).body).toMatchObject({ status: 403, code: 'request.forbidden' })
  expect((await send(CONFIGS, { token: tester })).status).toBe(403)
  for (const path of ['history', 'diff?from=0&to=0']) {
    expect((await send(`${CONFIGS}/system_config.sign_up/${path}`, { token: tester })).status).toBe(403)
  }
  const { body } = await send<{ data: Record<string, unknown> }>(CONFIGS, { token: admin })
  expect(body.data).not.toHaveProperty([key])
  expect((await write(admin)).status).toBe(200)
})
