import { readFileSync } from 'node:fs'
import { createKeyFor, listTrades, send, signUpUser } from '@tapeline/testing/api-client'
import { usageRowsOf } from '@tapeline/testing/usage/usage-rows'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const { gatewayUrl, auditDatabaseUrl, logFile } = runningPlatform()
const COUNTED_WITHIN_MS = 60_000
const LIST = `${gatewayUrl}/api/v1/trades/list`
const body = { venues: ['sim'], limit: 1 }

const addresses = (key: string): string[] => [
  `${LIST}?api_key=${key}`,
  `${LIST}?apiKey=${key}`,
  `${LIST}?api-key=${key}`,
  `${LIST}?APIKEY=${key}`,
  `${LIST}?x-api-key=${key}`,
  `${LIST}?access_token=${key}`,
  `${LIST}?limit=1&token=${key}`,
  `${LIST}?key=${key}`,
  `${LIST}?a=b#${key}`,
  `${LIST}/${key}`,
  `${gatewayUrl}/api/v1/health?${key}`,
  `${gatewayUrl}/nowhere/${key}`,
]

test('a key in a URL is rejected, also with a valid credential, and never logged', async () => {
  const { jwtToken, user } = await signUpUser(gatewayUrl)
  const { apiKey } = await createKeyFor(gatewayUrl, jwtToken)
  const secret = apiKey.slice(21)
  for (const url of addresses(apiKey).filter((each) => !each.includes('#'))) {
    const bare = await send(url, { body })
    expect(bare.body, url).toMatchObject({ status: 400, code: 'credential.in_query' })
    const beside = await send(url, { body, token: apiKey })
    expect(beside.body, url).toMatchObject({ status: 400, code: 'credential.in_query' })
  }
  for (const name of ['api%5Fkey', '%61pi_key']) {
    const encoded = `tl%5Flive${apiKey.slice(7).replaceAll('_', '%5F')}`
    expect((await send(`${LIST}?${name}=${encoded}`, { body })).status).toBeGreaterThanOrEqual(400)
  }
  expect((await listTrades(gatewayUrl, apiKey)).status).toBe(200)
  const counted = async () => {
    const found = await usageRowsOf(auditDatabaseUrl, user.id)
    return found.length > 0 ? found : undefined
  }
  const rows = await waitUntil('the valid request is counted', counted, COUNTED_WITHIN_MS)
  expect(rows.map(({ status }) => status)).toEqual([200])
  const log = readFileSync(logFile, 'utf8')
  expect(log).toContain('ready')
  expect(log).not.toContain(secret)
  expect(log).not.toContain(jwtToken)
})
