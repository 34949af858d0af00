import type { KeyAnswer } from '@tapeline/contracts/api-key/http'
import type { RequestDetail } from '@tapeline/contracts/audit/requests'
import type { KeyShadowReport } from '@tapeline/contracts/audit/shadow'
import { createKeyFor, listTrades, send, signUpUser } from '@tapeline/testing/api-client'
import { setTier } from '@tapeline/testing/set-subscription'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { untilSeeded } from '../platform/until-seeded.ts'

const platform = runningPlatform()
const { gatewayUrl } = platform
const INTERNAL = `${gatewayUrl}/api/v1/internal`
const WITHIN_MS = 60_000
const SENT = 6
const CAPS = { requestsPerMinute: 2, requestsPerHour: 4 }
const HOUR_MS = 3_600_000

async function statusesOf(apiKey: string): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < SENT; n += 1) statuses.push((await listTrades(gatewayUrl, apiKey)).status)
  return statuses
}

test('an owner tries limits of a key on its requests, reads which would have been rejected, and applies them', async () => {
  const owner = await signUpUser(gatewayUrl)
  await setTier(platform, owner.user.id, 'pro')
  const token = owner.jwtToken
  const { apiKey, key } = await createKeyFor(gatewayUrl, token)
  const other = await createKeyFor(gatewayUrl, token, 'other')
  for (const one of [apiKey, other.apiKey]) await untilSeeded([gatewayUrl], one)
  expect(await statusesOf(apiKey)).toEqual(Array(SENT).fill(200))
  const change = async (method: string, path: string, body?: object) => {
    const url = `${INTERNAL}/api-keys/${key.id}/shadow${path}`
    return (await send<{ data: KeyAnswer }>(url, { method, token, body })).body.data.key
  }
  const proposal = (await change('PUT', '', { rate_limits: CAPS })).shadow_limits?.id ?? ''
  // The version of the key is raised before the answer: the next request is decided by the proposal too.
  expect(await statusesOf(apiKey)).toEqual(Array(SENT).fill(200))
  expect(await statusesOf(other.apiKey)).toEqual(Array(SENT).fill(200))
  const report = async (): Promise<KeyShadowReport> =>
    (await send<{ data: KeyShadowReport }>(`${INTERNAL}/apikeyaudit/key-shadow/${proposal}`, { token })).body.data
  await waitUntil('the requests are reported', async () => (await report()).requests === SENT, WITHIN_MS)

  const shown = await report()
  expect(shown).toMatchObject({ rejected: 0, newly_admitted: 0, would_be_rejected: SENT - CAPS.requestsPerMinute })
  expect(shown.policies.map(({ policy }) => policy)).toContain('min')
  expect(shown.longest_wait_ms).toBeGreaterThan(50_000)
  expect(shown.longest_wait_ms).toBeLessThanOrEqual(HOUR_MS + 60_000)
  expect(shown.hours.reduce((sum, hour) => sum + hour.would_be_rejected, 0)).toBe(shown.would_be_rejected)
  const url = `${INTERNAL}/requests/${shown.first?.request_id}`
  const { body } = await send<{ data: RequestDetail }>(url, { token })
  expect(body.data).toMatchObject({ status: 200, key_id: key.id })
  expect(body.data.key_shadow).toMatchObject({ proposal, denied_by: shown.first?.policies })
  expect(body.data.key_shadow?.retry_after_ms).toBeGreaterThan(50_000)
  expect(body.data).not.toHaveProperty('shadow_denied_by')

  const applied = await change('POST', '/apply', { proposal })
  expect([applied.rate_limits, applied.shadow_limits]).toEqual([CAPS, undefined])
  await waitUntil(
    'the limits are enforced',
    async () => (await listTrades(gatewayUrl, apiKey)).status === 429,
    WITHIN_MS,
  )
  expect((await listTrades(gatewayUrl, other.apiKey)).status).toBe(200)
})

test('after a proposal is withdrawn its requests are no longer decided by it', async () => {
  const { jwtToken: token } = await signUpUser(gatewayUrl)
  const { apiKey, key } = await createKeyFor(gatewayUrl, token)
  const shadow = `${INTERNAL}/api-keys/${key.id}/shadow`
  await untilSeeded([gatewayUrl], apiKey)
  await send(shadow, { method: 'PUT', token, body: { rate_limits: { concurrentRequests: 5 } } })
  await statusesOf(apiKey)
  await send(shadow, { method: 'DELETE', token })
  const last = await listTrades(gatewayUrl, apiKey)
  const url = `${INTERNAL}/requests/${last.headers.get('x-request-id')}`
  const detail = async () => (await send<{ data: RequestDetail }>(url, { token })).body.data
  await waitUntil('the request is recorded', async () => (await detail()) !== undefined, WITHIN_MS)
  expect(await detail()).not.toHaveProperty('key_shadow')
})
