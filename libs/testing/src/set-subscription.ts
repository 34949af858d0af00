import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { RateLimits } from '@tapeline/contracts/config/tiers'

const run = promisify(execFile)
const ADMIN = join(import.meta.dirname, '..', '..', '..', 'services', 'config', 'src', 'admin.ts')
/** More than any test asks for: a limit at this height never binds. */
export const NO_LIMIT = 1_000_000

export type ConfigAddresses = { configDatabaseUrl: string; redisUrl: string }

/** Limits of an account's own; those not named never bind. */
export async function setLimits(
  addresses: ConfigAddresses,
  accountId: string,
  limits: Partial<RateLimits>,
): Promise<void> {
  const all: RateLimits = {
    requestsPerMinute: NO_LIMIT,
    requestsPerHour: NO_LIMIT,
    requestsPerDay: NO_LIMIT,
    requestsPerMonth: NO_LIMIT,
    burstLimit: NO_LIMIT,
    concurrentRequests: NO_LIMIT,
    ...limits,
  }
  await admin(addresses, ['set-limits', accountId, JSON.stringify(all)])
}

export async function setTier(addresses: ConfigAddresses, accountId: string, tier: string): Promise<void> {
  await admin(addresses, ['set-tier', accountId, tier])
}

async function admin({ configDatabaseUrl, redisUrl }: ConfigAddresses, args: string[]): Promise<void> {
  const env = { ...process.env, DATABASE_URL: configDatabaseUrl, REDIS_URL: redisUrl }
  await run(process.execPath, [ADMIN, ...args], { env })
}
