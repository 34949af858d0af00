import type { KeyRecord } from '@tapeline/contracts/api-key/http'
import type { SubscriptionRecord } from '@tapeline/contracts/config/http'
import type { AccountRecord } from '@tapeline/contracts/identity/http'
import { accountHashKey } from '@tapeline/service/account-versions'
import type { AccountPlan } from './account-plan.ts'
import type { KnownRecord } from './known-record.ts'
import type { LocalShare } from './local-share.ts'

/** Redis keys of one account: they share its hash tag, so that a Redis Cluster keeps them in one slot. */
export type LimiterKeys = { account: string; rings: string; leases: string; usage: string }

/** What the limiter last said, for the share while Redis is away. */
export type LastKnown = { atMs: number; used: readonly number[]; values: readonly number[] }

/** One account as this process knows it: records of its owners, its compiled plan, its open requests. */
export class KnownAccount {
  readonly id: string
  readonly user: KnownRecord<AccountRecord>
  readonly subscription: KnownRecord<SubscriptionRecord>
  readonly keys: LimiterKeys
  /** Leases of requests that are open here. */
  readonly leases = new Set<string>()
  /** Leases to be given back with the next call to Redis. */
  released: string[] = []
  lastKnown: LastKnown | undefined
  share: LocalShare | undefined
  plan: AccountPlan | undefined
  planOf: SubscriptionRecord | undefined
  planTiersVersion = -1
  seeding: Promise<boolean> | undefined

  constructor(id: string, user: KnownRecord<AccountRecord>, subscription: KnownRecord<SubscriptionRecord>) {
    this.id = id
    this.user = user
    this.subscription = subscription
    this.keys = {
      account: accountHashKey(id),
      rings: `rings:{${id}}`,
      leases: `leases:{${id}}`,
      usage: `usage:{${id}}:`,
    }
  }
}

/** An API key as this process knows it. */
export class KnownKey {
  readonly kid: string
  readonly record: KnownRecord<KeyRecord>
  digestOf: string | undefined
  digest: Buffer = Buffer.alloc(0)

  constructor(kid: string, record: KnownRecord<KeyRecord>) {
    this.kid = kid
    this.record = record
  }
}

/** Who calls: an account through one of its keys, or through a session. */
export type Caller = {
  account: KnownAccount
  key: KnownKey | undefined
  session: { id: string; issuedAtS: number } | undefined
}
