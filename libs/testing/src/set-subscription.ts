import type { RateLimits, TierLimits } from '@tapeline/contracts/config/tiers'
import { openAdminSession } from '../../../deploy/local/admin-session.ts'

/** More than any test sends: a limit of this size is never reached. */
export const NO_LIMIT = 1_000_000

export type ConfigAddresses = { configDatabaseUrl: string; redisUrl: string }

/** Sets custom limits of an account; the ones not named are never reached. */
export async function setLimits(
  addresses: ConfigAddresses,
  accountId: string,
  limits: Partial<TierLimits>,
): Promise<void> {
  await admin(addresses, ['set-limits', accountId, JSON.stringify({ ...onlyLimits({}), ...limits })])
}

/** All six limits, of which only the given ones can be reached. */
export function onlyLimits(limits: Partial<RateLimits>): RateLimits {
  return {
    requestsPerMinute: NO_LIMIT,
    requestsPerHour: NO_LIMIT,
    requestsPerDay: NO_LIMIT,
    requestsPerMonth: NO_LIMIT,
    burstLimit: NO_LIMIT,
    concurrentRequests: NO_LIMIT,
    ...limits,
  }
}

/** Sets the plan of an account as an operator does. */
export async function setTier(addresses: ConfigAddresses, accountId: string, tier: string): Promise<void> {
  await admin(addresses, ['set-tier', accountId, tier])
}

async function admin({ configDatabaseUrl, redisUrl }: ConfigAddresses, words: string[]): Promise<void> {
  const session = openAdminSession('config', { databaseUrl: configDatabaseUrl, redisUrl })
  await session.run(words).finally(session.close)
}
