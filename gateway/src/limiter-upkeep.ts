import type { Logger } from '@tapeline/service/logger'
import type { Owners } from './ask-owners.ts'
import type { KeyCaps } from './key-caps.ts'
import type { KnownAccount } from './known-account.ts'
import type { LeaseList } from './lease-list.ts'
import { LEASE_MS } from './limiter-call.ts'
import { scripts } from './limiter-scripts.ts'
import type { LimiterStore } from './limiter-store.ts'
import { LocalShare, type Merge } from './local-share.ts'
import type { AccountPlan } from './account-plan.ts'

export type LimiterUpkeepOptions = {
  store: Pick<LimiterStore, 'evaluate'>
  owners: Pick<Owners, 'askSeed'>
  logger: Logger
  /** Unique for each start of a process: names its merges. */
  processTag: string
  gatewaysExpected: number
  isUp: () => boolean
}
/** As their owners gave them after the ticket was given out. */
export type Versions = { user: number; subscription: number; kid: string; key: number | undefined; ticket: number }

const RENEW_EVERY_MS = 3_000
const MERGE_EVERY_MS = 250
/** Spread over time, so that gateways that come back together do not meet in Redis. */
const MERGES_PER_ROUND = 50

/** What keeps the limiter's store right beside the decisions: leases renewed, shares merged, lost counters seeded. */
export class LimiterUpkeep {
  private readonly open = new Set<LeaseList>()
  private readonly shared = new Set<KnownAccount>()
  private readonly timers: NodeJS.Timeout[]
  private isMerging = false
  private merges = 0
  private readonly options: LimiterUpkeepOptions

  constructor(options: LimiterUpkeepOptions) {
    this.options = options
    this.timers = [
      setInterval(() => void this.renewLeases(), RENEW_EVERY_MS),
      setInterval(() => void this.mergeShares(), MERGE_EVERY_MS),
    ]
    for (const timer of this.timers) timer.unref()
  }

  stop(): void {
    for (const timer of this.timers) clearInterval(timer)
  }

  opened(account: KnownAccount, leaseId: string, caps: KeyCaps | undefined): void {
    this.openIn(account.leases, leaseId)
    if (caps?.leases === undefined) return
    account.keyLeases.set(leaseId, caps.leases)
    this.openIn(caps.leases, leaseId)
  }

  closed(account: KnownAccount, leaseId: string): void {
    this.closeIn(account.leases, leaseId)
    const ofKey = account.keyLeases.get(leaseId)
    if (ofKey !== undefined) this.closeIn(ofKey, leaseId)
  }

  /** The account's share while Redis cannot be asked; merged as soon as it can. */
  shareOf(account: KnownAccount): LocalShare {
    if (account.share === undefined) {
      account.share = new LocalShare(account.lastKnown, this.options.gatewaysExpected)
      this.shared.add(account)
    }
    return account.share
  }

  /** Sets lost counters from audit's roll-ups, unless they are lost again; false when audit or Redis did not answer in time. */
  async seed(account: KnownAccount, plan: AccountPlan, versions: Versions): Promise<boolean> {
    account.seeding ??= this.seedOnce(account, plan, versions).finally(() => (account.seeding = undefined))
    return account.seeding
  }

  /** The same for a key with caps of its own: also when it has them for the first time. */
  async seedKey(account: KnownAccount, plan: AccountPlan, caps: KeyCaps): Promise<boolean> {
    caps.seeding ??= this.seedKeyOnce(account, plan, caps).finally(() => (caps.seeding = undefined))
    return caps.seeding
  }

  private openIn(list: LeaseList, leaseId: string): void {
    if (list.open.size === 0) this.open.add(list)
    list.open.add(leaseId)
  }

  private closeIn(list: LeaseList, leaseId: string): void {
    list.open.delete(leaseId)
    if (list.open.size === 0) this.open.delete(list)
  }

  private async seedOnce(account: KnownAccount, plan: AccountPlan, versions: Versions): Promise<boolean> {
    try {
      const seed = await this.options.owners.askSeed(account.id, plan.month.startS)
      if (seed === undefined || !this.options.isUp()) return false
      const { user, subscription, kid, key, ticket } = versions
      const { startS } = plan.month
      const argv = [kid, user, subscription, key ?? '', startS, seed.month, '', ticket, ...seed.minutes.flat()]
      await this.options.store.evaluate(scripts.seed, [account.keys.account, account.keys.rings], argv)
      return true
    } catch (err) {
      this.options.logger.warn({ err, account: account.id }, 'lost counters could not be seeded yet')
      return false
    }
  }

  private async seedKeyOnce(account: KnownAccount, plan: AccountPlan, caps: KeyCaps): Promise<boolean> {
    try {
      const seed = await this.options.owners.askSeed(account.id, plan.month.startS, caps.keyId)
      if (seed === undefined || !this.options.isUp()) return false
      const argv = [caps.keyId, plan.month.startS, seed.month, '', ...seed.minutes.flat()]
      await this.options.store.evaluate(scripts.seedKey, [account.keys.account, caps.rings], argv)
      return true
    } catch (err) {
      this.options.logger.warn({ err, key: caps.keyId }, 'counters of a key could not be seeded yet')
      return false
    }
  }

  private async renewLeases(): Promise<void> {
    if (!this.options.isUp() || this.open.size === 0) return
    const renewals = [...this.open].map(({ key, open }) =>
      this.options.store.evaluate(scripts.renew, [key], [LEASE_MS, ...open]),
    )
    await Promise.allSettled(renewals)
  }

  private async mergeShares(): Promise<void> {
    if (this.isMerging || this.shared.size === 0 || !this.options.isUp()) return
    this.isMerging = true
    for (const account of [...this.shared].slice(0, MERGES_PER_ROUND)) {
      // To the end of the line: one that cannot be merged yet keeps no other from it.
      this.shared.delete(account)
      this.shared.add(account)
      await this.merge(account).catch((err: unknown) => {
        this.options.logger.debug({ err }, 'merging what was admitted without Redis is tried again')
      })
    }
    this.isMerging = false
  }

  private async merge(account: KnownAccount): Promise<void> {
    const { share } = account
    if (share === undefined) return
    if (!share.isEmpty()) {
      const merge = share.toMerge(`${this.options.processTag}-${(this.merges += 1)}`)
      if (await this.send(account, merge)) share.merged(merge)
      else share.windowsKept(merge)
    }
    if (!share.isEmpty()) return
    account.share = undefined
    this.shared.delete(account)
  }

  /** Safe to repeat; false while the account's counters are unknown: then only the usage cells were added. */
  private async send({ id, keys }: KnownAccount, merge: Merge): Promise<boolean> {
    const { store, processTag } = this.options
    const mark = `merged:{${id}}:${processTag}`
    const ringsCount = merge.rings.length
    const argv = [merge.id, merge.periodS, merge.month, '', merge.sinceMs, ringsCount, ...merge.rings, ...merge.usage]
    const verdict = await store.evaluate(scripts.merge, [keys.account, keys.rings, mark, keys.usage], argv)
    if (verdict === 2) return false
    for (const { caps, periodS, month, rings } of merge.keys) {
      const own = [caps.keyId, merge.id, periodS, month, '', merge.sinceMs, ...rings]
      await store.evaluate(scripts.mergeKey, [keys.account, caps.rings, `${mark}:${caps.keyId}`], own)
    }
    return true
  }
}
