import { createKeyFor, listTrades, send, signUpUser, usageOf } from '@tapeline/testing/api-client'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { untilSeeded } from '../platform/until-seeded.ts'

const { gatewayUrl } = runningPlatform()
const COUNTED_WITHIN_MS = 60_000

test('the dashboard shows the exact numbers of served, failed and rejected requests', async () => {
  const { jwtToken } = await signUpUser(gatewayUrl)
  const { apiKey, key } = await createKeyFor(gatewayUrl, jwtToken)
  await untilSeeded([gatewayUrl], apiKey)
  for (let n = 0; n < 3; n += 1) expect((await listTrades(gatewayUrl, apiKey)).status).toBe(200)
  expect((await listTrades(gatewayUrl, apiKey, { limit: 0 })).status).toBe(400)
  await send(`${gatewayUrl}/api/v1/internal/api-keys/${key.id}/revoke`, { method: 'PATCH', token: jwtToken })
  expect((await listTrades(gatewayUrl, apiKey)).status).toBe(401)

  const allFive = async () => {
    const usage = await usageOf(gatewayUrl, jwtToken)
    return usage.total === 5 ? usage : undefined
  }
  const report = await waitUntil('five requests are counted', allFive, COUNTED_WITHIN_MS)
  expect(report).toMatchObject({ total: 5, success: 3, failed: 2, client_errors: 2, server_errors: 0, denied: 0 })
  expect(report.series.reduce((sum, point) => sum + point.total, 0)).toBe(5)
  const byKey = await usageOf(gatewayUrl, jwtToken, 'api-key-usage')
  expect(byKey.rows).toMatchObject([{ key: key.id, total: 5, success: 3, failed: 2 }])
})

test('no account sees the numbers of another account', async () => {
  const owner = await signUpUser(gatewayUrl)
  const { apiKey, key } = await createKeyFor(gatewayUrl, owner.jwtToken)
  await listTrades(gatewayUrl, apiKey)
  const isCounted = async () => (await usageOf(gatewayUrl, owner.jwtToken)).total === 1
  await waitUntil('the request is counted', isCounted, COUNTED_WITHIN_MS)
  const other = await signUpUser(gatewayUrl)
  const url = `${gatewayUrl}/api/v1/internal/apikeyaudit/api-key-usage?apiKeyId=${key.id}`
  expect((await send(url, { token: other.jwtToken })).status).toBe(404)
  expect((await usageOf(gatewayUrl, other.jwtToken)).total).toBe(0)
})
