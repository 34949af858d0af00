import type { KeyRecord } from '@tapeline/contracts/api-key/http'
import type { AccountPlan } from './account-plan.ts'
import { compilePlan } from './account-plan.ts'
import type { Owners } from './ask-owners.ts'
import { KeyLookups } from './key-lookups.ts'
import { KnownAccount, KnownKey } from './known-account.ts'
import { type Epoch, KnownRecord } from './known-record.ts'
import type { TierDocuments } from './tier-documents.ts'

export type KnownKeysOptions = {
  owners: Pick<Owners, 'askAccount' | 'askSubscription' | 'askKey' | 'askKeys'>
  tiers: Pick<TierDocuments, 'snapshot'>
  epoch: Epoch
}

const ACCOUNTS_MAX = 50_000
const KEYS_MAX = 100_000

/** The compiled records of accounts, subscriptions and API keys that this process has met. */
export class KnownKeys {
  private readonly accounts = new Map<string, KnownAccount>()
  private readonly keys = new Map<string, KnownKey>()
  /** Keys whose first record is on its way: events about them count already. */
  private readonly arriving = new Map<string, KnownKey>()
  private readonly lookups: KeyLookups
  private readonly options: KnownKeysOptions

  constructor(options: KnownKeysOptions) {
    this.options = options
    this.lookups = new KeyLookups(options.owners)
  }

  findKey(kid: string): KnownKey | undefined {
    return this.keys.get(kid)
  }

  /**
   * The key as its owner has it now; undefined when there is none. Throws when the owner does not answer. Also a
   * wrong secret of a known key is looked up, like a kid that does not exist: neither takes less time.
   */
  async lookUp(kid: string, address: string): Promise<KnownKey | undefined> {
    const key = this.keys.get(kid) ?? this.arriving.get(kid) ?? this.newKey(kid)
    this.arriving.set(kid, key)
    try {
      await key.record.loadBy(() => this.lookups.find(kid, address))
    } finally {
      this.arriving.delete(kid)
    }
    if (key.record.value === undefined) {
      this.keys.delete(kid)
      return undefined
    }
    if (!this.keys.has(kid)) remember(this.keys, kid, key, KEYS_MAX)
    return key
  }

  private newKey(kid: string): KnownKey {
    return new KnownKey(
      kid,
      this.record(() => this.options.owners.askKey(kid)),
    )
  }

  account(accountId: string): KnownAccount {
    const known = this.accounts.get(accountId)
    if (known !== undefined) return known
    const { owners } = this.options
    const account = new KnownAccount(
      accountId,
      this.record(() => owners.askAccount(accountId)),
      this.record(() => owners.askSubscription(accountId)),
    )
    forgetIdleAccount(this.accounts)
    this.accounts.set(accountId, account)
    return account
  }

  /** What the subscription means now; undefined until subscription and tier documents are known. */
  plan(account: KnownAccount, nowMs: number): AccountPlan | undefined {
    const record = account.subscription.value
    const snapshot = this.options.tiers.snapshot
    if (record === undefined || snapshot === undefined) return undefined
    const { plan } = account
    const isCurrent = account.planOf === record && account.planTiers === snapshot
    if (plan !== undefined && isCurrent && nowMs < plan.validUntilMs) return plan
    account.plan = compilePlan(record, snapshot.tiers, nowMs)
    account.planOf = record
    account.planTiers = snapshot
    return account.plan
  }

  hearOfUser(accountId: string, version: number): void {
    this.accounts.get(accountId)?.user.hear(version)
  }

  hearOfSubscription(accountId: string, version: number): void {
    this.accounts.get(accountId)?.subscription.hear(version)
  }

  hearOfKey(kid: string, version: number): void {
    this.keys.get(kid)?.record.hear(version)
    this.arriving.get(kid)?.record.hear(version)
  }

  private record<T extends { version: number }>(ask: () => Promise<T | undefined>): KnownRecord<T> {
    return new KnownRecord({ ask, epoch: this.options.epoch })
  }
}

/** SHA-256 of the secret, decoded once per record. */
export function digestOf(key: KnownKey, record: KeyRecord): Buffer {
  if (key.digestOf !== record.secret_sha256) {
    key.digest = Buffer.from(record.secret_sha256, 'hex')
    key.digestOf = record.secret_sha256
  }
  return key.digest
}

function remember<T>(map: Map<string, T>, name: string, value: T, max: number): void {
  if (map.size >= max) {
    const oldest = map.keys().next().value
    if (oldest !== undefined) map.delete(oldest)
  }
  map.set(name, value)
}

/** An account with open requests or admissions that Redis has not heard of is never forgotten. */
function forgetIdleAccount(accounts: Map<string, KnownAccount>): void {
  if (accounts.size < ACCOUNTS_MAX) return
  for (const account of accounts.values()) {
    if (account.leases.open.size > 0 || account.share !== undefined) continue
    accounts.delete(account.id)
    return
  }
}
