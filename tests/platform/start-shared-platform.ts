import type { Sample } from '@tapeline/contracts/market-data/http'
import { send } from '@tapeline/testing/api-client'
import { startTestPlatform, type TestPlatform } from '@tapeline/testing/test-platform'
import { waitUntil } from '@tapeline/testing/wait-until'
import type { RunningPlatform } from './running-platform.ts'

const GATEWAYS = 3
/** Long timeouts, because these suites do not test a busy machine; the drills keep the defaults. */
export const LONG_REPLY_TIMEOUT = { LIMITER_REPLY_WITHIN_MS: '1000' }
/** Identity settings for a loaded test machine: a long timeout, and cheap hashing of normal priority. */
export const PATIENT_IDENTITY = {
  OIDC_TIMEOUT_SECONDS: '12',
  PASSWORD_NICENESS: '0',
  PASSWORD_MEMORY_KIB: '4096',
  PASSWORD_PASSES: '1',
}
/** The last gateway keeps throttles by address that a test can reach; the others have none. */
const THROTTLED = 'gateway-3'
export const THROTTLES = Object.fromEntries(
  ['SAMPLE', 'SIGN_IN', 'SIGN_UP', 'FAILURES', 'ACCOUNT'].map((name) => [`THROTTLE_${name}_PER_MINUTE`, '8']),
)
const HISTORY_WITHIN_MS = 150_000
const FRESH_MS = 60_000

export type SharedPlatform = { platform: TestPlatform; running: RunningPlatform }

/** The platform of all suites that do not stop parts of it. `webOrigins`: additional origins of its pages. */
export async function startSharedPlatform(webOrigins: string[] = []): Promise<SharedPlatform> {
  const cors = webOrigins.length === 0 ? {} : { CORS_ORIGINS: webOrigins.join(',') }
  const platform = await startTestPlatform({
    gateways: GATEWAYS,
    servers: process.env,
    env: { gateway: { ...LONG_REPLY_TIMEOUT, ...cors }, identity: PATIENT_IDENTITY, [THROTTLED]: THROTTLES },
  })
  await waitUntil('the simulator: history generated', () => isHistoryThere(platform.gatewayUrl), HISTORY_WITHIN_MS)
  return { platform, running: describePlatform(platform, THROTTLED) }
}

export function describePlatform(platform: TestPlatform, throttled: string): RunningPlatform {
  return {
    gatewayUrl: platform.gatewayUrl,
    gatewayUrls: platform.gatewayUrls,
    throttledGatewayUrl: platform.processes.find(({ name }) => name === throttled)?.url ?? '',
    serviceUrls: platform.serviceUrls,
    webUrl: platform.webUrl,
    mailUrl: platform.mailUrl,
    marketDataUrl: platform.serviceUrls['market-data'],
    marketDataDatabaseUrl: platform.databaseUrls['market-data'],
    auditDatabaseUrl: platform.databaseUrls.audit,
    configDatabaseUrl: platform.databaseUrls.config,
    identityDatabaseUrl: platform.databaseUrls.identity,
    redisUrl: platform.addresses.redisUrl,
    demoKey: platform.apiKey ?? '',
    internalKeys: platform.secrets.internalKeys,
    identitySecret: platform.secrets.identitySecret,
    logFile: platform.logFile,
  }
}

/** The simulator generates two days of history before live data. */
async function isHistoryThere(gatewayUrl: string): Promise<boolean> {
  const { body } = await send<Sample>(`${gatewayUrl}/api/v1/sample/BTC-USDT`)
  return body.data.some(({ ts_event }) => Date.now() - Date.parse(ts_event) < FRESH_MS)
}
