import type { ServiceName } from '@tapeline/contracts/actor'
import { FoundKeys, KeyRecord } from '@tapeline/contracts/api-key/key-record'
import { UsageSeed } from '@tapeline/contracts/audit/http'
import { SubscriptionRecord } from '@tapeline/contracts/config/http'
import { PublicKeys } from '@tapeline/contracts/identity/access-token'
import { AccountRecord } from '@tapeline/contracts/identity/http'
import { createServiceClient } from '@tapeline/service/calls/call-service'
import type { InternalKeys } from '@tapeline/service/internal-keys'
import { cachedVersionQuery, type Versioned } from '@tapeline/service/settings/snapshot-cache'
import { Type } from 'typebox'

/** Calls to the services that own the records which the gateway caches. Undefined: no such record. Each has a timeout. */
export type RecordClients = {
  fetchAccount: (accountId: string) => Promise<AccountRecord | undefined>
  fetchSubscription: (accountId: string) => Promise<SubscriptionRecord | undefined>
  fetchKey: (kid: string) => Promise<KeyRecord | undefined>
  /** Records of the kids that exist. */
  fetchKeys: (kids: string[]) => Promise<KeyRecord[]>
  /** Usage of all the account's requests, or of those by one key. */
  fetchSeed: (accountId: string, monthStartS: number, keyId?: string) => Promise<UsageSeed | undefined>
  /** Undefined: version `cached` is current. Not validated here: tier-documents.ts reports why it rejects them. */
  fetchTiers: (cached: Versioned | undefined) => Promise<unknown>
  fetchPublicKeys: () => Promise<PublicKeys>
}

export type RecordUrls = { identity: string; 'api-key': string; audit: string; config: string }

const RECORD_TIMEOUT_MS = 2_000
/** After that the fallback limiter decides, until audit answers. */
const SEED_TIMEOUT_MS = 500

export function createRecordClients(urls: RecordUrls, keys: InternalKeys): RecordClients {
  const client = (audience: ServiceName & keyof RecordUrls, timeoutMs: number) =>
    createServiceClient({ caller: 'gateway', audience, baseUrl: urls[audience], keys, timeoutMs })
  const identity = client('identity', RECORD_TIMEOUT_MS)
  const apiKey = client('api-key', RECORD_TIMEOUT_MS)
  const config = client('config', RECORD_TIMEOUT_MS)
  const audit = client('audit', SEED_TIMEOUT_MS)
  return {
    fetchAccount: (id) =>
      identity.call({ path: `/internal/accounts/${encodeURIComponent(id)}`, answer: AccountRecord }),
    fetchSubscription: (id) =>
      config.call({ path: `/internal/subscriptions/${encodeURIComponent(id)}`, answer: SubscriptionRecord }),
    fetchKey: (kid) => apiKey.call({ path: `/internal/keys/${encodeURIComponent(kid)}`, answer: KeyRecord }),
    async fetchKeys(kids) {
      const found = await apiKey.call({
        path: '/internal/keys/find',
        method: 'POST',
        body: { kids },
        answer: FoundKeys,
      })
      if (found === undefined) throw new Error('api-key has no look-up of many keys')
      return found.records
    },
    fetchSeed(id, monthStartS, keyId) {
      const monthStart = new Date(monthStartS * 1_000).toISOString()
      const ofKey = keyId === undefined ? '' : `&key_id=${encodeURIComponent(keyId)}`
      const path = `/internal/seeds/${encodeURIComponent(id)}?month_start=${monthStart}${ofKey}`
      return audit.call({ path, answer: UsageSeed })
    },
    fetchTiers: (cached) =>
      config.call({ path: `/internal/tiers${cachedVersionQuery(cached)}`, answer: Type.Unknown() }),
    async fetchPublicKeys() {
      const keySet = await identity.call({ path: '/.well-known/jwks.json', answer: PublicKeys })
      if (keySet === undefined) throw new Error('identity publishes no keys')
      return keySet
    },
  }
}
