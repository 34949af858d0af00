import type { AdminFlag } from '@tapeline/contracts/config/flags'
import { send, signUpUser } from '@tapeline/testing/api-client'
import { callOperator } from '@tapeline/testing/operator'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const platform = runningPlatform()
const { gatewayUrl } = platform
const INTERNAL = `${gatewayUrl}/api/v1/internal`
const FLAGS = `${gatewayUrl}/api/v1/admin/feature-flags`
const RECEIVED_WITHIN_MS = 60_000
const operator = callOperator(platform)
afterAll(() => operator.close())

test('a disabled flag rejects its calls by name, reaches signed-in users, and admits the calls again when enabled', async () => {
  const [person, admin] = [await signUpUser(gatewayUrl), await signUpUser(gatewayUrl)]
  await operator.ofUsers('set-role', admin.user.id, 'admin')
  const listed = await send<{ data: AdminFlag[] }>(FLAGS, { token: admin.jwtToken })
  const flags = listed.body.data.filter(({ flag_key, role }) => flag_key.startsWith('api_key_') && role === 'user')
  expect(flags.map(({ flag_key }) => flag_key)).toEqual(['api_key_audit', 'api_key_management'])
  const stream = await listen(person.jwtToken)
  const set = async (enabled: boolean) => {
    for (const { id: flagId } of flags) {
      const reply = await send(FLAGS, { method: 'PATCH', token: admin.jwtToken, body: { flagId, enabled } })
      expect(reply.status).toBe(200)
    }
  }
  const get = (path: string) => send(`${INTERNAL}/${path}`, { token: person.jwtToken })
  try {
    await set(false)
    await waitUntil('the stream has two changes', () => stream.changes() >= 2, RECEIVED_WITHIN_MS)
    for (const [path, flag] of [
      ['api-keys', 'api_key_management'],
      ['apikeyaudit/dashboard-metrics?period=1h', 'api_key_audit'],
    ] as const) {
      await waitUntil(`${flag} is off`, async () => (await get(path)).status === 403, RECEIVED_WITHIN_MS)
      expect((await get(path)).body).toMatchObject({ code: 'feature.disabled', errors: [{ field: flag }] })
    }
  } finally {
    await set(true)
  }
  for (const path of ['api-keys', 'apikeyaudit/dashboard-metrics?period=1h']) {
    await waitUntil(`${path} is open again`, async () => (await get(path)).status === 200, RECEIVED_WITHIN_MS)
  }
  stream.close()
})

async function listen(token: string): Promise<{ changes: () => number; close: () => void }> {
  const controller = new AbortController()
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${INTERNAL}/events`, { headers, signal: controller.signal })
  expect(response.status).toBe(200)
  let text = ''
  const read = async () => {
    for await (const piece of response.body ?? []) text += Buffer.from(piece).toString()
  }
  read().catch(() => {})
  await waitUntil('the stream is open', () => text.includes('event: open'), RECEIVED_WITHIN_MS)
  return {
    changes: () => text.split('"type":"config.flag-changed.v1"').length - 1,
    close: () => controller.abort(),
  }
}
