import type { AccountCounters } from './account-counters.ts'
import type { KeyCaps, KeyShadow } from './key-caps.ts'
import type { LeaseList } from './lease-list.ts'
import type { Limiter } from './limiter.ts'
import { LEASE_MS } from './limiter-call.ts'
import { scripts } from './scripts/scripts.ts'
import type { LimiterStore } from './redis/limiter-store.ts'

export type LeasesOptions = {
  store: Pick<LimiterStore, 'evaluate'>
  limiter: Pick<Limiter, 'connection' | 'release'>
  /** Unique for each start of a process: begins its lease ids. */
  processTag: string
  /** With one process all releases and decisions share a connection, so an answer need not wait for its release. */
  isOnlyProcess: boolean
}
/** A key whose caps, or proposed caps, may count its open requests. */
export type LimitedKey = { readonly caps: KeyCaps | undefined; readonly shadow: KeyShadow | undefined }
export type LeaseHolder = { onLeaseReleased: () => void }

const RENEW_EVERY_MS = 3_000

/** The leases of the requests that are open here: renewed every 3 s, released when the request ends. */
export class Leases {
  private readonly open = new Set<LeaseList>()
  private readonly timer: NodeJS.Timeout
  private issued = 0
  private readonly options: LeasesOptions

  constructor(options: LeasesOptions) {
    this.options = options
    this.timer = setInterval(() => void this.renew(), RENEW_EVERY_MS)
    this.timer.unref()
  }

  stop(): void {
    clearInterval(this.timer)
  }

  newId(): string {
    return `${this.options.processTag}${(this.issued += 1).toString(36)}`
  }

  opened(counters: AccountCounters, leaseId: string, key: LimitedKey | undefined): void {
    this.openIn(counters.leases, leaseId)
    const ofKey = key === undefined ? undefined : (key.caps?.leases ?? key.shadow?.leases)
    if (ofKey === undefined) return
    counters.keyLeases.set(leaseId, ofKey)
    this.openIn(ofKey, leaseId)
  }

  /** True: the answer has to wait for `onLeaseReleased`, which may already have been called. */
  release(counters: AccountCounters, leaseId: string, holder: LeaseHolder): boolean {
    const { limiter, isOnlyProcess } = this.options
    this.closeIn(counters.leases, leaseId)
    const ofKey = counters.keyLeases.get(leaseId)
    if (ofKey !== undefined) this.closeIn(ofKey, leaseId)
    if (isOnlyProcess) limiter.release(counters, leaseId)
    else limiter.release(counters, leaseId, () => holder.onLeaseReleased())
    return !isOnlyProcess
  }

  /** Adds the lease to the list; it is renewed until it is released. */
  openIn(list: LeaseList, leaseId: string): void {
    if (list.open.size === 0) this.open.add(list)
    list.open.add(leaseId)
  }

  closeIn(list: LeaseList, leaseId: string): void {
    list.open.delete(leaseId)
    if (list.open.size === 0) this.open.delete(list)
  }

  private async renew(): Promise<void> {
    const { store, limiter } = this.options
    if (!limiter.connection.isUp || this.open.size === 0) return
    await Promise.allSettled(
      [...this.open].map(({ key, open }) => store.evaluate(scripts.renew, [key], [LEASE_MS, ...open])),
    )
  }
}
