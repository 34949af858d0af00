import type { TierEdition } from '@tapeline/contracts/config/plans'
import type { TierDocument } from '@tapeline/contracts/config/tiers'
import type { LimitsReport } from '@tapeline/contracts/gateway/http'
import { createKeyFor, listTrades, send, signUpUser } from '@tapeline/testing/api-client'
import { callOperator } from '@tapeline/testing/operator'
import { setTier } from '@tapeline/testing/set-subscription'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const platform = runningPlatform()
const { gatewayUrl, gatewayUrls } = platform
const TIERS = `${gatewayUrl}/api/v1/admin/tiers`
const WITHIN_MS = 60_000
const operator = callOperator(platform)
afterAll(() => operator.close())

type Edition = { data: TierEdition }

async function monthAt(url: string, key: string): Promise<{ limit: number; used: number } | undefined> {
  const { body } = await send<{ data: LimitsReport }>(`${url}/api/v1/limits`, { token: key })
  return body.data.windows.find(({ policy }) => policy === 'month')
}

test('a changed tier document applies at every gateway, an invalid one at none; counters are kept', async () => {
  const admin = await signUpUser(gatewayUrl)
  await operator.ofUsers('set-role', admin.user.id, 'admin')
  const account = await signUpUser(gatewayUrl)
  await setTier(platform, account.user.id, 'pro')
  const { apiKey } = await createKeyFor(gatewayUrl, account.jwtToken)
  expect((await listTrades(gatewayUrl, apiKey)).status).toBe(200)
  const { body: read } = await send<Edition>(TIERS, { token: admin.jwtToken })
  const { version, tiers } = read.data
  const limit = tiers.pro.rateLimits.requestsPerMonth + 1
  const put = (document: unknown, of: number) =>
    send<Edition>(`${TIERS}/pro`, { method: 'PUT', token: admin.jwtToken, body: { document, version: of } })
  const withMonth = (requestsPerMonth: number): TierDocument => ({
    ...tiers.pro,
    rateLimits: { ...tiers.pro.rateLimits, requestsPerMonth },
  })
  const written = await put(withMonth(limit), version)
  expect(written.status).toBe(200)
  for (const url of gatewayUrls) {
    await waitUntil('the document applies there', async () => (await monthAt(url, apiKey))?.limit === limit, WITHIN_MS)
  }
  expect((await put(withMonth(1), version + 1)).status).toBe(400)
  expect((await put(withMonth(limit + 1), version)).status).toBe(409)
  for (const url of gatewayUrls) {
    const isCounted = async () => (await monthAt(url, apiKey))?.used === 1
    await waitUntil('the request is counted there too', isCounted, WITHIN_MS)
    expect(await monthAt(url, apiKey)).toMatchObject({ limit })
  }
  const undo = await send<Edition>(`${TIERS}/undo`, { token: admin.jwtToken, body: { version: version + 1 } })
  expect(undo.body.data.tiers).toEqual(tiers)
})
