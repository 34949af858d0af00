import type { KeyRecord } from '@tapeline/contracts/api-key/http'
import type { AccountPlan } from './account-plan.ts'
import { compilePlan } from './account-plan.ts'
import type { Owners } from './ask-owners.ts'
import { KnownAccount, KnownKey } from './known-account.ts'
import { type Epoch, KnownRecord } from './known-record.ts'
import type { TierDocuments } from './tier-documents.ts'

export type KnownKeysOptions = {
  owners: Pick<Owners, 'askAccount' | 'askSubscription' | 'askKey'>
  tiers: Pick<TierDocuments, 'snapshot'>
  epoch: Epoch
}

const ACCOUNTS_MAX = 50_000
const KEYS_MAX = 100_000
const UNKNOWN_KIDS_MAX = 10_000
/** A kid that the owner does not know is not asked for again this long; a created one is heard of at once. */
const UNKNOWN_FOR_MS = 10_000

/** The compiled records of accounts, subscriptions and API keys that this process has met. */
export class KnownKeys {
  private readonly accounts = new Map<string, KnownAccount>()
  private readonly keys = new Map<string, KnownKey>()
  private readonly unknown = new Map<string, number>()
  private readonly options: KnownKeysOptions

  constructor(options: KnownKeysOptions) {
    this.options = options
  }

  findKey(kid: string): KnownKey | undefined {
    return this.keys.get(kid)
  }

  isKnownToBeUnknown(kid: string): boolean {
    const untilMs = this.unknown.get(kid)
    return untilMs !== undefined && untilMs > performance.now()
  }

  /** The key's record, loaded; undefined when its owner does not know it. Throws when the owner does not answer. */
  async loadKey(kid: string): Promise<KnownKey | undefined> {
    let key = this.keys.get(kid)
    if (key === undefined) {
      key = new KnownKey(
        kid,
        this.record(() => this.options.owners.askKey(kid)),
      )
      remember(this.keys, kid, key, KEYS_MAX)
    }
    if (!key.record.isUsable()) await key.record.reload(performance.now())
    if (key.record.value !== undefined) return key
    this.keys.delete(kid)
    remember(this.unknown, kid, performance.now() + UNKNOWN_FOR_MS, UNKNOWN_KIDS_MAX)
    return undefined
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
    this.unknown.delete(kid)
    this.keys.get(kid)?.record.hear(version)
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
