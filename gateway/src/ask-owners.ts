import type { ServiceName } from '@tapeline/contracts/actor'
import { FoundKeys, KeyRecord } from '@tapeline/contracts/api-key/http'
import { UsageSeed } from '@tapeline/contracts/audit/http'
import { SubscriptionRecord } from '@tapeline/contracts/config/http'
import { PublicKeys } from '@tapeline/contracts/identity/access-token'
import { AccountRecord } from '@tapeline/contracts/identity/http'
import { createServiceClient } from '@tapeline/service/call-service'
import type { InternalKeys } from '@tapeline/service/internal-keys'
import { knownQuery, type Versioned } from '@tapeline/service/snapshot-keeper'
import { Type } from 'typebox'

/** Questions to the services that own what the gateway compiles. Undefined: there is no such thing. Each has a timeout. */
export type Owners = {
  askAccount: (accountId: string) => Promise<AccountRecord | undefined>
  askSubscription: (accountId: string) => Promise<SubscriptionRecord | undefined>
  askKey: (kid: string) => Promise<KeyRecord | undefined>
  /** Those of the kids that exist. */
  askKeys: (kids: string[]) => Promise<KeyRecord[]>
  /** Of all the account's requests, or of those by one key. */
  askSeed: (accountId: string, monthStartS: number, keyId?: string) => Promise<UsageSeed | undefined>
  /** Undefined: they are still those of version `known`. Unchecked: whoever keeps them says why they cannot hold. */
  askTiers: (known: Versioned | undefined) => Promise<unknown>
  askPublicKeys: () => Promise<PublicKeys>
}

export type OwnerUrls = { identity: string; 'api-key': string; audit: string; config: string }

const RECORD_TIMEOUT_MS = 2_000
/** Longer, and the degraded share decides until audit answers. */
const SEED_TIMEOUT_MS = 500

export function askOwners(urls: OwnerUrls, keys: InternalKeys): Owners {
  const client = (audience: ServiceName & keyof OwnerUrls, timeoutMs: number) =>
    createServiceClient({ caller: 'gateway', audience, baseUrl: urls[audience], keys, timeoutMs })
  const identity = client('identity', RECORD_TIMEOUT_MS)
  const apiKey = client('api-key', RECORD_TIMEOUT_MS)
  const config = client('config', RECORD_TIMEOUT_MS)
  const audit = client('audit', SEED_TIMEOUT_MS)
  return {
    askAccount: (id) => identity.call({ path: `/internal/accounts/${encodeURIComponent(id)}`, answer: AccountRecord }),
    askSubscription: (id) =>
      config.call({ path: `/internal/subscriptions/${encodeURIComponent(id)}`, answer: SubscriptionRecord }),
    askKey: (kid) => apiKey.call({ path: `/internal/keys/${encodeURIComponent(kid)}`, answer: KeyRecord }),
    async askKeys(kids) {
      const found = await apiKey.call({
        path: '/internal/keys/find',
        method: 'POST',
        body: { kids },
        answer: FoundKeys,
      })
      if (found === undefined) throw new Error('api-key has no look-up of many keys')
      return found.records
    },
    askSeed(id, monthStartS, keyId) {
      const monthStart = new Date(monthStartS * 1_000).toISOString()
      const ofKey = keyId === undefined ? '' : `&key_id=${encodeURIComponent(keyId)}`
      const path = `/internal/seeds/${encodeURIComponent(id)}?month_start=${monthStart}${ofKey}`
      return audit.call({ path, answer: UsageSeed })
    },
    askTiers: (known) => config.call({ path: `/internal/tiers${knownQuery(known)}`, answer: Type.Unknown() }),
    async askPublicKeys() {
      const keySet = await identity.call({ path: '/.well-known/jwks.json', answer: PublicKeys })
      if (keySet === undefined) throw new Error('identity publishes no keys')
      return keySet
    },
  }
}
