import type { KeyRecord } from '@tapeline/contracts/api-key/http'
import type { SubscriptionRecord, TierSnapshot } from '@tapeline/contracts/config/http'
import type { AccountRecord } from '@tapeline/contracts/identity/http'
import { accountHashKey } from '@tapeline/service/account-versions'
import type { AccountPlan } from './account-plan.ts'
import { AllowedNetworks } from './allowed-networks.ts'
import { type KeyCaps, compileCaps } from './key-caps.ts'
import type { KnownRecord } from './known-record.ts'
import { KnownUsage } from './known-usage.ts'
import { LeaseList } from './lease-list.ts'
import type { LocalShare } from './local-share.ts'

/** Redis keys of one account: they share its hash tag, so that a Redis Cluster keeps them in one slot. */
export type LimiterKeys = { account: string; rings: string; usage: string }

/** One account as this process knows it: records of its owners, its compiled plan, its open requests. */
export class KnownAccount {
  readonly id: string
  readonly user: KnownRecord<AccountRecord>
  readonly subscription: KnownRecord<SubscriptionRecord>
  readonly keys: LimiterKeys
  readonly leases: LeaseList
  /** Open requests that a key's own cap of concurrency counts as well. */
  readonly keyLeases = new Map<string, LeaseList>()
  readonly known = new KnownUsage()
  /** During an outage of Redis, and for a minute after it. */
  share: LocalShare | undefined
  plan: AccountPlan | undefined
  planOf: SubscriptionRecord | undefined
  planTiers: TierSnapshot | undefined
  seeding: Promise<boolean> | undefined

  constructor(id: string, user: KnownRecord<AccountRecord>, subscription: KnownRecord<SubscriptionRecord>) {
    this.id = id
    this.user = user
    this.subscription = subscription
    this.keys = {
      account: accountHashKey(id),
      rings: `windows:{${id}}`,
      usage: `usage:{${id}}:`,
    }
    this.leases = new LeaseList(id, `leases:{${id}}`)
  }
}

/** An API key as this process knows it. */
export class KnownKey {
  readonly kid: string
  readonly record: KnownRecord<KeyRecord>
  digestOf: string | undefined
  digest: Buffer = Buffer.alloc(0)
  private compiledOf: KeyRecord | undefined
  private ownCaps: KeyCaps | undefined
  private ownNetworks: AllowedNetworks | undefined

  constructor(kid: string, record: KnownRecord<KeyRecord>) {
    this.kid = kid
    this.record = record
  }

  /** The key's own caps, if any. */
  get caps(): KeyCaps | undefined {
    this.compile()
    return this.ownCaps
  }

  /** Undefined: the key may be used from everywhere. */
  get networks(): AllowedNetworks | undefined {
    this.compile()
    return this.ownNetworks
  }

  /** Once per record; what the limiter last said of the caps is kept. */
  private compile(): void {
    const record = this.record.value
    if (record === this.compiledOf) return
    this.compiledOf = record
    this.ownCaps = record === undefined ? undefined : compileCaps(record, this.ownCaps?.known)
    this.ownNetworks =
      record === undefined || record.networks.length === 0 ? undefined : new AllowedNetworks(record.networks)
  }
}

/** Who calls: an account through one of its keys, or through a session. */
export type Caller = {
  account: KnownAccount
  key: KnownKey | undefined
  session: { id: string; issuedAtS: number } | undefined
}
