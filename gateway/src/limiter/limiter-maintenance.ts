import { setTimeout as delay } from 'node:timers/promises'
import type { UsageSeed } from '@tapeline/contracts/audit/http'
import type { Logger } from '@tapeline/service/logger'
import type { AccountCounters } from './account-counters.ts'
import type { KeyCaps } from './key-caps.ts'
import { scripts } from './scripts/scripts.ts'
import type { LimiterStore } from './redis/limiter-store.ts'
import { type LateReply, FallbackLimiter, type Merge } from './fallback-limiter.ts'
import type { ReportedUsage, UsageReport } from './reported-usage.ts'
import type { AccountPlan } from './account-plan.ts'
import { type MonthPeriod, monthPeriodAt } from '@tapeline/contracts/config/month-period'

export type LimiterMaintenanceOptions = {
  store: Pick<LimiterStore, 'evaluate'>
  /** Usage counted by audit: of the account's requests, or of those by one key. */
  fetchSeed: (accountId: string, monthStartS: number, keyId?: string) => Promise<UsageSeed | undefined>
  logger: Logger
  /** Unique for each start of a process: names its merges. */
  processTag: string
  gatewaysExpected: number
  isUp: () => boolean
  /** Time of the last reconnection, by `nowMs`; 0 if the connection was never lost. */
  connectedSinceMs: () => number
  nowMs?: () => number
}
/** Loaded from their owners after the ticket was issued. */
export type Versions = { user: number; subscription: number; kid: string; key: number | undefined; ticket: number }

const MERGE_EVERY_MS = 250
const END_OUTAGES_EVERY_MS = 5_000
/** Late replies, merges and reconnections that follow each other within this time are one outage. */
const OUTAGE_ENDS_AFTER_MS = 60_000
/** Spreads the merges of gateways that reconnect at the same time. */
const MERGES_PER_ROUND = 50
/** For the last merges of a process; a hanging Redis must not delay its end. */
const STOP_WITHIN_MS = 1_000
const NOT_KNOWN = 2
const MERGED_ANSWER_LENGTH = 12

/** Keeps the counters in Redis correct: merges the admissions of an outage and seeds lost counters. */
export class LimiterMaintenance {
  private readonly inOutage = new Set<AccountCounters>()
  private readonly toMerge = new Set<AccountCounters>()
  /** Seedings in progress by account, or by the caps of a key. */
  private readonly seedings = new Map<AccountCounters | KeyCaps, Promise<boolean>>()
  private readonly timers: NodeJS.Timeout[]
  private merging: Promise<void> | undefined
  private merges = 0
  private readonly options: LimiterMaintenanceOptions
  private readonly nowMs: () => number

  constructor(options: LimiterMaintenanceOptions) {
    this.options = options
    this.nowMs = options.nowMs ?? Date.now
    this.timers = [
      setInterval(() => void this.mergeAll(MERGES_PER_ROUND), MERGE_EVERY_MS),
      setInterval(() => this.endOutages(), END_OUTAGES_EVERY_MS),
    ]
    for (const timer of this.timers) timer.unref()
  }

  /** Merges what is left, as far as Redis replies in time. */
  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer)
    const merged = Promise.resolve(this.merging).then(() => this.mergeAll(this.toMerge.size))
    await Promise.race([merged, delay(STOP_WITHIN_MS, undefined, { ref: false })])
  }

  /** The account's fallback limiter in this outage, for decisions that Redis does not make in time. */
  fallbackOf(counters: AccountCounters): FallbackLimiter {
    if (counters.fallback !== undefined && this.hasExpired(counters.fallback)) counters.fallback = undefined
    counters.fallback ??= new FallbackLimiter(counters.reported, this.options.gatewaysExpected)
    this.wasActive(counters, counters.fallback)
    return counters.fallback
  }

  /** A late reply; without a fallback there is nothing to correct. */
  countedByRedis(counters: AccountCounters, late: LateReply, admittedMs: number | undefined): void {
    if (counters.fallback === undefined) return
    counters.fallback.countedByRedis(late, admittedMs)
    this.wasActive(counters, counters.fallback)
  }

  /** Seeds lost counters from audit's roll-ups, unless they are lost again; false if audit or Redis timed out. */
  async seed(counters: AccountCounters, plan: AccountPlan, versions: Versions): Promise<boolean> {
    return this.singly(counters, () => this.seedOnce(counters, plan, versions))
  }

  /** Seeds the counters of a key with its own caps, also of new caps. */
  async seedKey(counters: AccountCounters, plan: AccountPlan, caps: KeyCaps): Promise<boolean> {
    return this.singly(caps, () => this.seedKeyOnce(counters, plan, caps))
  }

  /** Shares the result of a seeding of the same counters that is in progress. */
  private singly(seeded: AccountCounters | KeyCaps, seed: () => Promise<boolean>): Promise<boolean> {
    const inProgress = this.seedings.get(seeded)
    if (inProgress !== undefined) return inProgress
    const seeding = seed().finally(() => this.seedings.delete(seeded))
    this.seedings.set(seeded, seeding)
    return seeding
  }

  private wasActive(counters: AccountCounters, fallback: FallbackLimiter): void {
    fallback.activeMs = this.nowMs()
    this.inOutage.add(counters)
    this.toMerge.add(counters)
  }

  private hasExpired(fallback: FallbackLimiter): boolean {
    if (!this.options.isUp() || !fallback.isEmpty()) return false
    return this.nowMs() - Math.max(fallback.activeMs, this.options.connectedSinceMs()) >= OUTAGE_ENDS_AFTER_MS
  }

  private endOutages(): void {
    for (const counters of this.inOutage) {
      if (counters.fallback !== undefined && !this.hasExpired(counters.fallback)) continue
      counters.fallback = undefined
      this.inOutage.delete(counters)
    }
  }

  private async seedOnce(counters: AccountCounters, plan: AccountPlan, versions: Versions): Promise<boolean> {
    const { user, subscription, kid, key, ticket } = versions
    try {
      return await this.seedMonth(counters, plan, undefined, ({ startS, endS }, { month, minutes }) => {
        const argv = [kid, user, subscription, key ?? '', startS, endS, month, '', ticket, ...minutes.flat()]
        return this.options.store.evaluate(scripts.seed, [counters.keys.account, counters.keys.rings], argv)
      })
    } catch (err) {
      this.options.logger.warn(
        { err, account: counters.accountId },
        'limiter: seeding lost counters failed; the fallback limiter decides until a retry succeeds',
      )
      return false
    }
  }

  private async seedKeyOnce(counters: AccountCounters, plan: AccountPlan, caps: KeyCaps): Promise<boolean> {
    try {
      return await this.seedMonth(counters, plan, caps.keyId, ({ startS, endS }, { month, minutes }) => {
        const argv = [caps.keyId, startS, endS, month, '', ...minutes.flat()]
        return this.options.store.evaluate(scripts.seedKey, [counters.keys.account, caps.rings], argv)
      })
    } catch (err) {
      this.options.logger.warn(
        { err, key: caps.keyId },
        'limiter: seeding the counters of a key failed; the fallback limiter decides until a retry succeeds',
      )
      return false
    }
  }

  /** Redis's clock determines the month: if this clock is in another one, audit is called again for Redis's month. */
  private async seedMonth(
    { accountId }: AccountCounters,
    { anchor, month }: AccountPlan,
    keyId: string | undefined,
    write: (month: MonthPeriod, seed: UsageSeed) => Promise<unknown>,
  ): Promise<boolean> {
    const byThisClock = await this.seedFor(accountId, month.startS, keyId)
    if (byThisClock === undefined) return false
    const answer = await write(month, byThisClock)
    if (!Array.isArray(answer)) return true
    const running = monthPeriodAt(anchor, Number(answer[0]))
    const byRedis = await this.seedFor(accountId, running.startS, keyId)
    return byRedis !== undefined && !Array.isArray(await write(running, byRedis))
  }

  private async seedFor(accountId: string, startS: number, keyId: string | undefined): Promise<UsageSeed | undefined> {
    const seed = await this.options.fetchSeed(accountId, startS, keyId)
    return this.options.isUp() ? seed : undefined
  }

  private async mergeAll(accounts: number): Promise<void> {
    if (this.toMerge.size === 0 || !this.options.isUp()) return
    this.merging ??= this.mergeSome(accounts).finally(() => (this.merging = undefined))
    await this.merging
  }

  private async mergeSome(accounts: number): Promise<void> {
    for (const counters of [...this.toMerge].slice(0, accounts)) {
      // To the end of the queue: an account that cannot be merged yet does not delay the others.
      this.toMerge.delete(counters)
      this.toMerge.add(counters)
      await this.merge(counters).catch((err: unknown) => {
        this.options.logger.debug({ err }, 'limiter: merging the admissions of an outage failed; retrying')
      })
    }
  }

  private async merge(counters: AccountCounters): Promise<void> {
    const { fallback } = counters
    if (fallback !== undefined && !fallback.isEmpty()) {
      const merge = fallback.toMerge(`${this.options.processTag}-${(this.merges += 1)}`)
      if (await this.send(counters, merge)) fallback.merged()
      else fallback.windowsKept(merge)
      fallback.activeMs = this.nowMs()
    }
    if (fallback === undefined || fallback.isEmpty()) this.toMerge.delete(counters)
  }

  /** Safe to repeat; false while the account's counters are unknown: then only the usage cells were added. */
  private async send(counters: AccountCounters, merge: Merge): Promise<boolean> {
    const { store, processTag } = this.options
    const { accountId, keys, reported } = counters
    const mark = `merged:{${accountId}}:${processTag}`
    const argv = [merge.id, ...monthOf(merge), '', merge.sinceMs, merge.rings.length, ...merge.rings, ...merge.usage]
    const answer = await store.evaluate(scripts.merge, [keys.account, keys.rings, mark, keys.usage], argv)
    if (Array.isArray(answer) && answer[0] === NOT_KNOWN) return false
    this.record(reported, answer)
    for (const { caps, rings, ...ofKey } of merge.keys) {
      const own = [caps.keyId, merge.id, ...monthOf(ofKey), '', merge.sinceMs, ...rings]
      this.record(
        caps.reported,
        await store.evaluate(scripts.mergeKey, [keys.account, caps.rings, `${mark}:${caps.keyId}`], own),
      )
    }
    return true
  }

  /** The reply of a merge: verdict, Redis's clock, five counts, five times until a window frees capacity. */
  private record(reported: ReportedUsage, answer: unknown): void {
    if (!Array.isArray(answer) || answer.length < MERGED_ANSWER_LENGTH) return
    const numbers = answer.map(Number)
    const [redisMs = 0, used, resetMs] = [numbers[1], numbers.slice(2, 7), numbers.slice(7)]
    const report: UsageReport = { atMs: this.nowMs(), redisMs, used, resetMs }
    reported.recordMerged(report)
  }
}

function monthOf({ periodS, month, monthBefore }: Pick<Merge, 'periodS' | 'month' | 'monthBefore'>): number[] {
  return [periodS, month, monthBefore]
}
