/** Requests that count as open in one sorted set of Redis, as far as this process knows. */
export class LeaseList {
  readonly accountId: string
  /** Redis key of the set. */
  readonly key: string
  /** Leases of requests that are open here: renewed until they are closed. */
  readonly open = new Set<string>()
  /** To be given back with the next call to Redis. */
  released: string[] = []

  constructor(accountId: string, key: string) {
    this.accountId = accountId
    this.key = key
  }
}
