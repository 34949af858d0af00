import type { KeyRecord } from '@tapeline/contracts/api-key/key-record'
import type { SubscriptionRecord, TierSnapshot } from '@tapeline/contracts/config/http'
import type { AccountRecord } from '@tapeline/contracts/identity/http'
import { AccountCounters } from '../limiter/account-counters.ts'
import { type AccountPlan, compilePlan } from '../limiter/account-plan.ts'
import { AllowedNetworks } from './allowed-networks.ts'
import type { CachedRecord } from './cached-record.ts'
import { compileCaps, compileKeyShadow, type KeyCaps, type KeyShadow } from '../limiter/key-caps.ts'

type CompiledPlan = { plan: AccountPlan; record: SubscriptionRecord; tiers: TierSnapshot }

/** One account in this process: the records of its owners, the plan compiled from them, and its counters. */
export class CachedAccount {
  readonly id: string
  readonly user: CachedRecord<AccountRecord>
  readonly subscription: CachedRecord<SubscriptionRecord>
  readonly counters: AccountCounters
  private compiled: CompiledPlan | undefined

  constructor(id: string, user: CachedRecord<AccountRecord>, subscription: CachedRecord<SubscriptionRecord>) {
    this.id = id
    this.user = user
    this.subscription = subscription
    this.counters = new AccountCounters(id)
  }

  /** The plan compiled last; undefined before the first request. */
  get lastPlan(): AccountPlan | undefined {
    return this.compiled?.plan
  }

  /** The plan at `nowMs`; undefined until the subscription and the tier documents are loaded. */
  planAt(nowMs: number, tiers: TierSnapshot | undefined): AccountPlan | undefined {
    const record = this.subscription.value
    if (record === undefined || tiers === undefined) return undefined
    const { compiled } = this
    const isCurrent = compiled?.record === record && compiled.tiers === tiers
    if (isCurrent && nowMs < compiled.plan.validUntilMs) return compiled.plan
    this.compiled = { plan: compilePlan(record, tiers.tiers, nowMs, tiers.shadow), record, tiers }
    return this.compiled.plan
  }
}

/** Compiled once from a key's record; a new record replaces all of it. */
type CompiledKey = {
  record: KeyRecord
  /** SHA-256 of the secret. */
  digest: Buffer
  caps: KeyCaps | undefined
  shadow: KeyShadow | undefined
  networks: AllowedNetworks | undefined
}

/** One API key in this process. */
export class CachedKey {
  readonly kid: string
  readonly record: CachedRecord<KeyRecord>
  private compiled: CompiledKey | undefined

  constructor(kid: string, record: CachedRecord<KeyRecord>) {
    this.kid = kid
    this.record = record
  }

  /** Undefined until the record is loaded. */
  get digest(): Buffer | undefined {
    return this.compile()?.digest
  }

  /** The key's own caps, if any. */
  get caps(): KeyCaps | undefined {
    return this.compile()?.caps
  }

  /** Proposed caps of the key, if any. */
  get shadow(): KeyShadow | undefined {
    return this.compile()?.shadow
  }

  /** Undefined: the key may be used from every address. */
  get networks(): AllowedNetworks | undefined {
    return this.compile()?.networks
  }

  /** The usage that Redis last reported for the caps outlives the record. */
  private compile(): CompiledKey | undefined {
    const record = this.record.value
    if (record === this.compiled?.record) return this.compiled
    this.compiled = record === undefined ? undefined : compileKey(record, this.compiled?.caps)
    return this.compiled
  }
}

function compileKey(record: KeyRecord, before: KeyCaps | undefined): CompiledKey {
  const caps = compileCaps(record, before?.reported)
  return {
    record,
    digest: Buffer.from(record.secret_sha256, 'hex'),
    caps,
    shadow: compileKeyShadow(record, caps),
    networks: record.networks.length === 0 ? undefined : new AllowedNetworks(record.networks),
  }
}

/** The authenticated caller: an account through one of its keys, or through a session. */
export type Caller = {
  account: CachedAccount
  key: CachedKey | undefined
  session: { id: string; issuedAtS: number } | undefined
}
