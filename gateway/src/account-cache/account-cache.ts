import type { TierSnapshot } from '@tapeline/contracts/config/http'
import type { AccountPlan } from '../limiter/account-plan.ts'
import { CachedAccount, CachedKey } from './cached-account.ts'
import { CachedRecord } from './cached-record.ts'
import { KeyLookups } from './key-lookups.ts'
import type { RedisEpoch } from '../limiter/redis/limiter-connection.ts'
import type { RecordClients } from './record-clients.ts'

export type AccountCacheOptions = {
  clients: Pick<RecordClients, 'fetchAccount' | 'fetchSubscription' | 'fetchKey' | 'fetchKeys'>
  /** `snapshot` is undefined until the tier documents are loaded. */
  tiers: { readonly snapshot: TierSnapshot | undefined }
  epoch: RedisEpoch
}

/** What a change affects: the account with all of its keys, or one key. */
export type Invalidated = { accountId: string; kid?: undefined } | { accountId?: undefined; kid: string }

const ACCOUNTS_MAX = 50_000
const KEYS_MAX = 100_000

/** The accounts, subscriptions and API keys that this process has served, each compiled once per record. */
export class AccountCache {
  private readonly accounts = new Map<string, CachedAccount>()
  private readonly keys = new Map<string, CachedKey>()
  /** Keys whose first record is being loaded: events already invalidate them. */
  private readonly arriving = new Map<string, CachedKey>()
  private readonly lookups: KeyLookups
  /** Called after a record was invalidated by an event. */
  onInvalidated: (what: Invalidated) => void = () => {}
  private readonly options: AccountCacheOptions

  constructor(options: AccountCacheOptions) {
    this.options = options
    this.lookups = new KeyLookups(options.clients)
  }

  findKey(kid: string): CachedKey | undefined {
    return this.keys.get(kid)
  }

  /**
   * Loads the key's record from its owner; undefined when the key does not exist. Throws when the owner does not answer.
   * A wrong secret of a cached key is looked up as well, like a kid that does not exist, so both take the same time.
   */
  async lookUp(kid: string, throttleAddress: string): Promise<CachedKey | undefined> {
    const key = this.keys.get(kid) ?? this.arriving.get(kid) ?? this.newKey(kid)
    this.arriving.set(kid, key)
    try {
      await key.record.loadBy(() => this.lookups.find(kid, throttleAddress))
    } finally {
      this.arriving.delete(kid)
    }
    if (key.record.value === undefined) {
      this.keys.delete(kid)
      return undefined
    }
    if (!this.keys.has(kid)) this.addKey(kid, key)
    return key
  }

  account(accountId: string): CachedAccount {
    const cached = this.accounts.get(accountId)
    if (cached !== undefined) return cached
    const { clients } = this.options
    const account = new CachedAccount(
      accountId,
      this.record(() => clients.fetchAccount(accountId)),
      this.record(() => clients.fetchSubscription(accountId)),
    )
    this.evictIdleAccount()
    this.accounts.set(accountId, account)
    return account
  }

  /** The account's plan; undefined until its subscription and the tier documents are loaded. */
  plan(account: CachedAccount, nowMs: number): AccountPlan | undefined {
    return account.planAt(nowMs, this.options.tiers.snapshot)
  }

  invalidateUser(accountId: string, version: number): void {
    this.accounts.get(accountId)?.user.invalidate(version)
    this.onInvalidated({ accountId })
  }

  invalidateSubscription(accountId: string, version: number): void {
    this.accounts.get(accountId)?.subscription.invalidate(version)
    this.onInvalidated({ accountId })
  }

  invalidateKey(kid: string, version: number): void {
    this.keys.get(kid)?.record.invalidate(version)
    this.arriving.get(kid)?.record.invalidate(version)
    this.onInvalidated({ kid })
  }

  private newKey(kid: string): CachedKey {
    return new CachedKey(
      kid,
      this.record(() => this.options.clients.fetchKey(kid)),
    )
  }

  private record<T extends { version: number }>(fetch: () => Promise<T | undefined>): CachedRecord<T> {
    return new CachedRecord({ fetch, epoch: this.options.epoch })
  }

  private addKey(kid: string, key: CachedKey): void {
    const [oldest] = this.keys.size < KEYS_MAX ? [] : this.keys.keys()
    if (oldest !== undefined) this.keys.delete(oldest)
    this.keys.set(kid, key)
  }

  /** An account with open requests, or with admissions that Redis has yet to receive, is never evicted. */
  private evictIdleAccount(): void {
    if (this.accounts.size < ACCOUNTS_MAX) return
    for (const account of this.accounts.values()) {
      if (!account.counters.isIdle()) continue
      this.accounts.delete(account.id)
      return
    }
  }
}
