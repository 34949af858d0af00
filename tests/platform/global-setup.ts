import type { Sample } from '@tapeline/contracts/market-data/http'
import { send } from '@tapeline/testing/api-client'
import { startTestPlatform, type TestPlatform } from '@tapeline/testing/test-platform'
import { waitUntil } from '@tapeline/testing/wait-until'
import type { TestProject } from 'vitest/node'

const GATEWAYS = 3
/** A busy machine is not what these suites are about; the drills keep the default. */
const PATIENT = { LIMITER_REPLY_WITHIN_MS: '1000' }
const HISTORY_WITHIN_MS = 90_000
const FRESH_MS = 60_000

let platform: TestPlatform | undefined

/** One platform for all suites that only use it; each test has an account of its own. */
export async function setup(project: TestProject): Promise<void> {
  platform = await startTestPlatform({ gateways: GATEWAYS, servers: process.env, env: { gateway: PATIENT } })
  const { gatewayUrl } = platform
  await waitUntil('the simulated history is there', () => isHistoryThere(gatewayUrl), HISTORY_WITHIN_MS)
  project.provide('platform', {
    gatewayUrl,
    gatewayUrls: platform.gatewayUrls,
    webUrl: platform.webUrl,
    marketDataUrl: platform.serviceUrls['market-data'],
    marketDataDatabaseUrl: platform.databaseUrls['market-data'],
    auditDatabaseUrl: platform.databaseUrls.audit,
    configDatabaseUrl: platform.databaseUrls.config,
    redisUrl: platform.addresses.redisUrl,
    demoKey: platform.apiKey ?? '',
    internalKeys: platform.secrets.internalKeys,
  })
}

export async function teardown(): Promise<void> {
  await platform?.stop()
}

/** The simulator makes two days of history before it goes on live. */
async function isHistoryThere(gatewayUrl: string): Promise<boolean> {
  const { body } = await send<Sample>(`${gatewayUrl}/api/v1/sample/BTC-USDT`)
  return body.data.some(({ ts_event }) => Date.now() - Date.parse(ts_event) < FRESH_MS)
}
