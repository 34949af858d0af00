import type { RequestDetail } from '@tapeline/contracts/audit/requests'
import type { ShadowedAccount, ShadowReport } from '@tapeline/contracts/audit/shadow'
import type { TierEdition } from '@tapeline/contracts/config/plans'
import { createKeyFor, listTrades, send, signUpUser } from '@tapeline/testing/api-client'
import { callOperator } from '@tapeline/testing/operator'
import { setTier } from '@tapeline/testing/set-subscription'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const platform = runningPlatform()
const { gatewayUrl } = platform
const TIERS = `${gatewayUrl}/api/v1/admin/tiers`
const WITHIN_MS = 60_000
const REPORTED_WITHIN_MS = 5_000
const SENT = 6
const LIMITS = {
  burstLimit: 2,
  requestsPerMinute: 2,
  requestsPerHour: 2,
  requestsPerDay: 1_000,
  requestsPerMonth: 100_000,
  concurrentRequests: 20,
}
const operator = callOperator(platform)
afterAll(() => operator.close())

type Edition = { data: TierEdition }

function isRejectedOften(account: ShadowedAccount | undefined): boolean {
  return account !== undefined && account.newly_rejected >= SENT - LIMITS.requestsPerHour
}

/** Checks that nothing was actually rejected, and that the report and the request log name the limits. */
async function expectExplained(account: ShadowedAccount | undefined, token: string): Promise<void> {
  if (account?.first === undefined || account.first === null) throw new Error('no request would be rejected')
  expect(account).toMatchObject({ rejected: 0, newly_admitted: 0, keys: [{ key_id: expect.any(String) }] })
  expect(account.would_be_rejected).toBe(account.newly_rejected)
  expect(account.policies.map(({ policy }) => policy)).toEqual(expect.arrayContaining(['min', 'hour']))
  const { policies, request_id: id } = account.first
  expect(policies).toContain('min')
  const { body } = await send<{ data: RequestDetail }>(`${gatewayUrl}/api/v1/internal/requests/${id}`, { token })
  expect(body.data).toMatchObject({ status: 200, shadow_denied_by: policies })
}

test('an admin tries limits on real traffic, reads who would have been rejected and why, and enforces them', async () => {
  const admin = await signUpUser(gatewayUrl)
  await operator.ofUsers('set-role', admin.user.id, 'admin')
  await setTier(platform, admin.user.id, 'pro')
  const token = admin.jwtToken
  const { apiKey } = await createKeyFor(gatewayUrl, token)
  const { tiers } = (await send<Edition>(TIERS, { token })).body.data
  const change = async (method: string, path: string, body: object = {}) => {
    const { version } = (await send<Edition>(TIERS, { token })).body.data
    return (await send<Edition>(`${TIERS}/pro${path}`, { method, token, body: { ...body, version } })).body.data
  }
  const proposed = await change('PUT', '/shadow', { rateLimits: LIMITS })
  const proposal = proposed.shadow.pro?.id ?? ''
  try {
    const decided = async (): Promise<ShadowedAccount | undefined> => {
      const url = `${gatewayUrl}/api/v1/admin/limits/shadow/${proposal}`
      const { body } = await send<{ data: ShadowReport }>(url, { token })
      return body.data.rows.find(({ account_id }) => account_id === admin.user.id)
    }
    const statuses: number[] = []
    // Some requests at a time: the limits that are enforced must not be reached while audit counts them.
    const isDecidedToo = async () => {
      for (let n = 0; n < SENT; n += 1) statuses.push((await listTrades(gatewayUrl, apiKey)).status)
      const isReported = async () => isRejectedOften(await decided())
      return waitUntil('the requests are reported', isReported, REPORTED_WITHIN_MS)
    }
    await waitUntil('the gateway decides by the proposal too', isDecidedToo, WITHIN_MS)
    expect(new Set(statuses)).toEqual(new Set([200]))
    await expectExplained(await decided(), token)

    const enforced = await change('POST', '/shadow/enforce')
    expect(enforced).toMatchObject({ tiers: { pro: { rateLimits: LIMITS } }, shadow: {} })
    const isDenied = async () => (await listTrades(gatewayUrl, apiKey)).status === 429
    await waitUntil('the limits are enforced', isDenied, WITHIN_MS)
  } finally {
    await change('PUT', '', { document: tiers.pro })
  }
})
