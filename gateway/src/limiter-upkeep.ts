import type { UsageSeed } from '@tapeline/contracts/audit/http'
import type { Logger } from '@tapeline/service/logger'
import type { Owners } from './ask-owners.ts'
import type { KeyCaps } from './key-caps.ts'
import type { KnownAccount } from './known-account.ts'
import type { LeaseList } from './lease-list.ts'
import { LEASE_MS } from './limiter-call.ts'
import { scripts } from './limiter-scripts.ts'
import type { LimiterStore } from './limiter-store.ts'
import { type LateReply, LocalShare, type Merge } from './local-share.ts'
import type { KnownUsage, UsageReport } from './known-usage.ts'
import type { AccountPlan } from './account-plan.ts'
import { type MonthPeriod, monthPeriodAt } from './month-period.ts'

export type LimiterUpkeepOptions = {
  store: Pick<LimiterStore, 'evaluate'>
  owners: Pick<Owners, 'askSeed'>
  logger: Logger
  /** Unique for each start of a process: names its merges. */
  processTag: string
  gatewaysExpected: number
  isUp: () => boolean
  /** When the connection was last away; 0: it never was. By `nowMs`. */
  wasAwayMs: () => number
  nowMs?: () => number
}
/** As their owners gave them after the ticket was given out. */
export type Versions = { user: number; subscription: number; kid: string; key: number | undefined; ticket: number }

const RENEW_EVERY_MS = 3_000
const MERGE_EVERY_MS = 250
const END_OUTAGES_EVERY_MS = 5_000
/** Late replies, merges and reconnections that follow each other within this time are one outage. */
const OUTAGE_ENDS_AFTER_MS = 60_000
/** Spread over time, so that gateways that come back together do not meet in Redis. */
const MERGES_PER_ROUND = 50
const NOT_KNOWN = 2
const MERGED_ANSWER_LENGTH = 12

/** What keeps the limiter's store right beside the decisions: leases renewed, shares merged, lost counters seeded. */
export class LimiterUpkeep {
  private readonly open = new Set<LeaseList>()
  private readonly inOutage = new Set<KnownAccount>()
  private readonly toMerge = new Set<KnownAccount>()
  private readonly timers: NodeJS.Timeout[]
  private isMerging = false
  private merges = 0
  private readonly options: LimiterUpkeepOptions
  private readonly nowMs: () => number

  constructor(options: LimiterUpkeepOptions) {
    this.options = options
    this.nowMs = options.nowMs ?? Date.now
    this.timers = [
      setInterval(() => void this.renewLeases(), RENEW_EVERY_MS),
      setInterval(() => void this.mergeShares(), MERGE_EVERY_MS),
      setInterval(() => this.endOutages(), END_OUTAGES_EVERY_MS),
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

  /** The account's share of this outage, for a decision that Redis does not make in time. */
  shareOf(account: KnownAccount): LocalShare {
    if (account.share !== undefined && this.isOver(account.share)) account.share = undefined
    account.share ??= new LocalShare(account.known, this.options.gatewaysExpected)
    this.wasActive(account, account.share)
    return account.share
  }

  /** A late reply; without a share there is nothing to set right. */
  countedByRedis(account: KnownAccount, late: LateReply, admittedMs: number | undefined): void {
    if (account.share === undefined) return
    account.share.countedByRedis(late, admittedMs)
    this.wasActive(account, account.share)
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

  private wasActive(account: KnownAccount, share: LocalShare): void {
    share.activeMs = this.nowMs()
    this.inOutage.add(account)
    this.toMerge.add(account)
  }

  private isOver(share: LocalShare): boolean {
    if (!this.options.isUp() || !share.isEmpty()) return false
    return this.nowMs() - Math.max(share.activeMs, this.options.wasAwayMs()) >= OUTAGE_ENDS_AFTER_MS
  }

  private endOutages(): void {
    for (const account of this.inOutage) {
      if (account.share !== undefined && !this.isOver(account.share)) continue
      account.share = undefined
      this.inOutage.delete(account)
    }
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
    const { user, subscription, kid, key, ticket } = versions
    try {
      return await this.seedMonth(account, plan, undefined, ({ startS, endS }, { month, minutes }) => {
        const argv = [kid, user, subscription, key ?? '', startS, endS, month, '', ticket, ...minutes.flat()]
        return this.options.store.evaluate(scripts.seed, [account.keys.account, account.keys.rings], argv)
      })
    } catch (err) {
      this.options.logger.warn({ err, account: account.id }, 'lost counters could not be seeded yet')
      return false
    }
  }

  private async seedKeyOnce(account: KnownAccount, plan: AccountPlan, caps: KeyCaps): Promise<boolean> {
    try {
      return await this.seedMonth(account, plan, caps.keyId, ({ startS, endS }, { month, minutes }) => {
        const argv = [caps.keyId, startS, endS, month, '', ...minutes.flat()]
        return this.options.store.evaluate(scripts.seedKey, [account.keys.account, caps.rings], argv)
      })
    } catch (err) {
      this.options.logger.warn({ err, key: caps.keyId }, 'counters of a key could not be seeded yet')
      return false
    }
  }

  /** Redis decides which month it is: when this clock names another one, audit is asked once more for Redis's month. */
  private async seedMonth(
    { id }: KnownAccount,
    { anchor, month }: AccountPlan,
    keyId: string | undefined,
    write: (month: MonthPeriod, seed: UsageSeed) => Promise<unknown>,
  ): Promise<boolean> {
    const byThisClock = await this.seedFor(id, month.startS, keyId)
    if (byThisClock === undefined) return false
    const answer = await write(month, byThisClock)
    if (!Array.isArray(answer)) return true
    const running = monthPeriodAt(anchor, Number(answer[0]))
    const byRedis = await this.seedFor(id, running.startS, keyId)
    return byRedis !== undefined && !Array.isArray(await write(running, byRedis))
  }

  private async seedFor(accountId: string, startS: number, keyId: string | undefined): Promise<UsageSeed | undefined> {
    const seed = await this.options.owners.askSeed(accountId, startS, keyId)
    return this.options.isUp() ? seed : undefined
  }

  private async renewLeases(): Promise<void> {
    if (!this.options.isUp() || this.open.size === 0) return
    const renewals = [...this.open].map(({ key, open }) =>
      this.options.store.evaluate(scripts.renew, [key], [LEASE_MS, ...open]),
    )
    await Promise.allSettled(renewals)
  }

  private async mergeShares(): Promise<void> {
    if (this.isMerging || this.toMerge.size === 0 || !this.options.isUp()) return
    this.isMerging = true
    for (const account of [...this.toMerge].slice(0, MERGES_PER_ROUND)) {
      // To the end of the line: one that cannot be merged yet keeps no other from it.
      this.toMerge.delete(account)
      this.toMerge.add(account)
      await this.merge(account).catch((err: unknown) => {
        this.options.logger.debug({ err }, 'merging what was admitted without Redis is tried again')
      })
    }
    this.isMerging = false
  }

  private async merge(account: KnownAccount): Promise<void> {
    const { share } = account
    if (share !== undefined && !share.isEmpty()) {
      const merge = share.toMerge(`${this.options.processTag}-${(this.merges += 1)}`)
      if (await this.send(account, merge)) share.merged()
      else share.windowsKept(merge)
      share.activeMs = this.nowMs()
    }
    if (share === undefined || share.isEmpty()) this.toMerge.delete(account)
  }

  /** Safe to repeat; false while the account's counters are unknown: then only the usage cells were added. */
  private async send(account: KnownAccount, merge: Merge): Promise<boolean> {
    const { store, processTag } = this.options
    const { id, keys, known } = account
    const mark = `merged:{${id}}:${processTag}`
    const argv = [merge.id, ...monthOf(merge), '', merge.sinceMs, merge.rings.length, ...merge.rings, ...merge.usage]
    const answer = await store.evaluate(scripts.merge, [keys.account, keys.rings, mark, keys.usage], argv)
    if (Array.isArray(answer) && answer[0] === NOT_KNOWN) return false
    this.learn(known, answer)
    for (const { caps, rings, ...ofKey } of merge.keys) {
      const own = [caps.keyId, merge.id, ...monthOf(ofKey), '', merge.sinceMs, ...rings]
      this.learn(
        caps.known,
        await store.evaluate(scripts.mergeKey, [keys.account, caps.rings, `${mark}:${caps.keyId}`], own),
      )
    }
    return true
  }

  /** What is used after a merge: verdict, Redis's clock, five counts, five times until a window gives something back. */
  private learn(known: KnownUsage, answer: unknown): void {
    if (!Array.isArray(answer) || answer.length < MERGED_ANSWER_LENGTH) return
    const numbers = answer.map(Number)
    const [redisMs = 0, used, resetMs] = [numbers[1], numbers.slice(2, 7), numbers.slice(7)]
    const report: UsageReport = { atMs: this.nowMs(), redisMs, used, resetMs }
    known.learnMerged(report)
  }
}

function monthOf({ periodS, month, monthBefore }: Pick<Merge, 'periodS' | 'month' | 'monthBefore'>): number[] {
  return [periodS, month, monthBefore]
}
