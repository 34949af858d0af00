import { send, signUpUser } from '@tapeline/testing/api-client'
import { callOperator } from '@tapeline/testing/operator'
import { afterAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const platform = runningPlatform()
const ADMIN = `${platform.gatewayUrl}/api/v1/admin`
const FLAGS = `${ADMIN}/feature-flags`
const operator = callOperator(platform)
afterAll(() => operator.close())

type Flag = { data: { id: string; enabled: boolean; is_active: boolean; version: number } }

async function newUser(role: 'tester' | 'admin'): Promise<string> {
  const { user, jwtToken } = await signUpUser(platform.gatewayUrl)
  await operator.ofUsers('set-role', user.id, role)
  return jwtToken
}

test('a tester neither creates, edits, removes nor restores a flag of the role admin', async () => {
  const [tester, admin] = [await newUser('tester'), await newUser('admin')]
  const flag_key = `attack_${crypto.randomUUID()}`
  const forbidden = { status: 403, code: 'flag.role_above_yours' }
  const create = (token: string, role: string) => send<Flag>(FLAGS, { token, body: { flag_key, role } })
  expect((await create(tester, 'admin')).body).toMatchObject(forbidden)
  expect((await create(tester, 'user')).status).toBe(201)
  const { id: flagId } = (await create(admin, 'admin')).body.data
  for (const change of [{ enabled: false }, { is_active: false }, { is_active: true, enabled: true, role: 'user' }]) {
    const reply = await send(FLAGS, { method: 'PATCH', token: tester, body: { flagId, ...change } })
    expect([400, 403]).toContain(reply.status)
  }
  expect((await send(`${FLAGS}/${flagId}/undo`, { token: tester, body: {} })).body).toMatchObject(forbidden)
  const unchanged = await send<Flag>(FLAGS, { method: 'PATCH', token: admin, body: { flagId, enabled: true } })
  expect(unchanged.body.data).toMatchObject({ enabled: true, is_active: true, version: 1 })
})
