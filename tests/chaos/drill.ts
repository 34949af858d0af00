import { createKeyFor, signUpSomebody } from '@tapeline/testing/api-client'
import { setLimits } from '@tapeline/testing/set-subscription'
import type { TestPlatform } from '@tapeline/testing/test-platform'
import type { TrafficLog } from '@tapeline/testing/traffic'
import { rolledUpOf, usageRowsOf, type UsageRow } from '@tapeline/testing/usage-rows'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect } from 'vitest'

export type Drill = { accountId: string; token: string; apiKey: string }

/** An account that no limit slows down, with a key. */
export async function newDrill(platform: TestPlatform): Promise<Drill> {
  const { jwtToken, user } = await signUpSomebody(platform.gatewayUrl)
  const addresses = { configDatabaseUrl: platform.databaseUrls.config, redisUrl: platform.addresses.redisUrl }
  await setLimits(addresses, user.id, {})
  const { apiKey } = await createKeyFor(platform.gatewayUrl, jwtToken)
  return { accountId: user.id, token: jwtToken, apiKey }
}

const SETTLED_WITHIN_MS = 100_000

/** Every fully answered request has exactly one row, no id is there twice, and every roll-up holds as many as there are rows. */
export async function expectCountedOnce(
  platform: TestPlatform,
  { accountId }: Drill,
  log: TrafficLog,
): Promise<UsageRow[]> {
  const url = platform.databaseUrls.audit
  const answered = new Set(log.answered.map(({ requestId }) => requestId))
  expect(answered.size).toBe(log.answered.length)
  const rows = await waitUntil(
    'every answered request has a row',
    async () => {
      const found = await usageRowsOf(url, accountId)
      const counted = new Set(found.map(({ requestId }) => requestId))
      const missing = [...answered].filter((id) => !counted.has(id))
      if (missing.length > 0) throw new Error(`${missing.length} of ${answered.size} answered requests have no row`)
      return found
    },
    SETTLED_WITHIN_MS,
  )
  expect(new Set(rows.map(({ requestId }) => requestId)).size).toBe(rows.length)
  const sums = await rolledUpOf(url, accountId)
  const all = (await usageRowsOf(url, accountId)).length
  expect(sums).toEqual({ usage_minute: all, usage_quarter_hour: all, usage_hour: all, usage_day: all })
  return rows
}
