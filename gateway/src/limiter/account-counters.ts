import { accountHashKey } from '@tapeline/service/account-versions'
import type { FallbackLimiter } from './fallback-limiter.ts'
import { LeaseList } from './lease-list.ts'
import { ReportedUsage } from './reported-usage.ts'

/** Redis keys of one account: they share its hash tag, so that a Redis Cluster keeps them in one slot. */
export type CounterKeys = { account: string; rings: string; usage: string }

/** The limiter's state of one account in this process: open requests, the last reported usage, and the fallback of an outage. */
export class AccountCounters {
  readonly accountId: string
  readonly keys: CounterKeys
  readonly leases: LeaseList
  /** Live streams; undefined until the first. */
  private streamList: LeaseList | undefined
  /** Open requests that a key's own cap of concurrency counts as well, by lease. */
  readonly keyLeases = new Map<string, LeaseList>()
  readonly reported = new ReportedUsage()
  /** Set only by the maintenance: during an outage of Redis, and for a minute afterwards. */
  fallback: FallbackLimiter | undefined

  constructor(accountId: string) {
    this.accountId = accountId
    this.keys = {
      account: accountHashKey(accountId),
      rings: `windows:{${accountId}}`,
      usage: `usage:{${accountId}}:`,
    }
    this.leases = new LeaseList(accountId, `leases:{${accountId}}`)
  }

  /** Live streams that are open here. */
  get streams(): LeaseList {
    this.streamList ??= new LeaseList(this.accountId, `streams:{${this.accountId}}`)
    return this.streamList
  }

  /** Whether the account can be evicted: no open requests and no counts to merge into Redis. */
  isIdle(): boolean {
    if (this.streamList !== undefined && this.streamList.open.size > 0) return false
    return this.leases.open.size === 0 && this.fallback === undefined
  }
}
