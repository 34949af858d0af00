import { ExpiringKeys } from '@tapeline/contracts/api-key/expiring-keys'
import { KeyList } from '@tapeline/contracts/api-key/http'
import { AccountUsage } from '@tapeline/contracts/audit/account-usage'
import { AccountProfile, SubscriptionRecord } from '@tapeline/contracts/config/http'
import { AppError } from '@tapeline/service/app-error'
import { createServiceClient, type ServiceCall } from '@tapeline/service/calls/call-service'
import type { Secrets } from '@tapeline/service/encryption'
import type { InternalKeys } from '@tapeline/service/internal-keys'
import type { Kysely } from 'kysely'
import type { Static, TSchema } from 'typebox'
import type { NoticeConfig } from '../notice-config.ts'
import type { NoticeDeps } from './notice-deps.ts'
import { createVapidKeys } from '../push/vapid-keys.ts'
import type { Tables } from '../tables.ts'

/** Background calls: longer than a response takes, shorter than the called service's own timeout. */
const TIMEOUT_MS = 5_000

type Connection = { config: NoticeConfig; secret: Secrets; keys: InternalKeys; db: Kysely<Tables>; now: () => Date }

/** Creates the calls to audit, api-key and config that notices and reminders need; each has a timeout. */
export function connectNotices({ config, secret, keys, db, now }: Connection): NoticeDeps {
  const client = (audience: 'audit' | 'api-key' | 'config', baseUrl: string) =>
    createServiceClient({ caller: 'identity', audience, baseUrl, keys, timeoutMs: TIMEOUT_MS })
  const audit = client('audit', config.AUDIT_URL)
  const apiKey = client('api-key', config.API_KEY_URL)
  const profiles = client('config', config.CONFIG_URL)
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = config
  const configured = privateKey === '' ? undefined : { publicKey, privateKey }
  return {
    vapidKeys: createVapidKeys({ db, now, secret, configured }),
    pushRules: { allowsLoopback: config.PUSH_TO_LOOPBACK },
    fetchProfile: (accountId, role) =>
      get(profiles, { path: `/internal/accounts/${accountId}/profile?role=${role}`, answer: AccountProfile }),
    fetchUsage: (accountId, { from, to }) =>
      get(audit, {
        path: `/internal/accounts/${accountId}/usage?from=${from.toISOString()}&to=${to.toISOString()}`,
        answer: AccountUsage,
      }),
    fetchExpiringKeys: (accountId, until) =>
      get(apiKey, {
        path: `/internal/accounts/${accountId}/expiring-keys?until=${until.toISOString()}`,
        answer: ExpiringKeys,
      }),
    fetchKeys: (accountId) => get(apiKey, { path: `/internal/accounts/${accountId}/keys`, answer: KeyList }),
    fetchSubscription: (accountId) =>
      get(profiles, { path: `/internal/subscriptions/${accountId}`, answer: SubscriptionRecord }),
  }
}

async function get<T extends TSchema>(
  client: ReturnType<typeof createServiceClient>,
  call: ServiceCall<T>,
): Promise<Static<T>> {
  const answer = await client.call(call)
  if (answer === undefined)
    throw new AppError(
      'service.unavailable',
      'A service has not received the latest changes yet. Try again in a moment.',
      { isPartial: true },
    )
  return answer
}
