import type { AccountProfile, SubscriptionRecord } from '@tapeline/contracts/config/http'
import type { Kysely } from 'kysely'
import type { NoticeDeps } from '../src/deliveries/notice-deps.ts'
import { createVapidKeys } from '../src/push/vapid-keys.ts'
import type { Tables } from '../src/tables.ts'

const VAPID_SECRET = 'a secret of the test, long enough for anyone'

export function someProfile(settings?: Record<string, unknown>, timeZone = 'UTC'): AccountProfile {
  return {
    tier: 'free',
    time_zone: timeZone,
    featureFlags: [],
    flags: [],
    configs: settings === undefined ? {} : { user_settings: JSON.stringify(settings) },
    globalConfigs: {},
  }
}

function someSubscription(accountId: string): SubscriptionRecord {
  return {
    account_id: accountId,
    version: 1,
    tier: 'free',
    anchor: '2026-01-01T00:00:00.000Z',
    trial_ends_at: null,
    rate_limits: null,
    time_zone: 'UTC',
  }
}

/** Stubs of the other services at the boundary of the test: no settings, no usage, no expiring keys. */
export function testNoticeDeps(db: Kysely<Tables>, now: () => Date): NoticeDeps {
  return {
    vapidKeys: createVapidKeys({ db, now, secret: VAPID_SECRET, configured: undefined }),
    pushRules: { allowsLoopback: true },
    fetchProfile: async () => someProfile(),
    fetchUsage: async () => ({
      total: 0,
      success: 0,
      failed: 0,
      denied: 0,
      client_errors: 0,
      server_errors: 0,
      limits: [],
    }),
    fetchExpiringKeys: async () => ({ keys: [] }),
    fetchKeys: async () => ({ apiKeys: [] }),
    fetchSubscription: async (accountId) => someSubscription(accountId),
  }
}
