/** The leases of this process in one sorted set of Redis. */
export class LeaseList {
  readonly accountId: string
  /** Redis key of the set. */
  readonly key: string
  /** Leases of requests that are open here: renewed until they are closed. */
  readonly open = new Set<string>()
  /** Released with the next call to Redis. */
  released: string[] = []

  constructor(accountId: string, key: string) {
    this.accountId = accountId
    this.key = key
  }
}
