import type { Logger } from '@tapeline/service/logger'
import type { Caller } from './known-account.ts'
import type { KnownRecord } from './known-record.ts'
import type { StaleVersions } from './limiter-call.ts'

type AnyRecord = KnownRecord<{ version: number }>

/** One for each of: unknown here, lost by Redis, missing in Redis; and two more when Redis is emptied meanwhile. */
const RELOADS_MAX = 5
/** While Redis is away a record is asked for again after this long … */
const REVERIFY_AFTER_MS = 5_000
/** … and without its owner it may be this old. */
const UNVERIFIED_MAX_MS = 600_000

/** The owners' records that one request depends on: user, subscription and, with a key, the key. */
export class CallerRecords {
  private readonly all: AnyRecord[]
  private readonly caller: Caller
  private readonly logger: Logger
  private reloads = 0
  private bits = 0
  private bitsUnder = 0

  constructor(caller: Caller, logger: Logger) {
    const { account, key } = caller
    this.caller = caller
    this.logger = logger
    this.all =
      key === undefined ? [account.user, account.subscription] : [account.user, account.subscription, key.record]
  }

  areUsable(): boolean {
    for (const record of this.all) if (!record.isUsable()) return false
    return true
  }

  /** Which records (bits: 1 user, 2 subscription, 4 key) were loaded after Redis said that their version is missing. */
  loaded(): string {
    return this.bits === 0 ? '' : `${this.bitsUnder}:${this.bits}`
  }

  /** The limiter or the owners have just said that all are current. */
  agree(): void {
    const nowMs = performance.now()
    for (const record of this.all) record.agreedMs = nowMs
  }

  async reloadUnusable(): Promise<boolean> {
    return this.reload(this.all.filter((record) => !record.isUsable()))
  }

  async reloadAll(): Promise<boolean> {
    return this.reload(this.all)
  }

  /** What Redis holds is newer, or it holds nothing. */
  async reloadBehind({ user, subscription, key, mark }: StaleVersions): Promise<boolean> {
    const held = [user, subscription, key]
    const behind = this.all.filter((record, n) => {
      const version = held[n] ?? -1
      return version === -1 || (record.value?.version ?? -1) < version
    })
    for (const [n, record] of this.all.entries()) record.hear(held[n] ?? -1)
    if (!(await this.reload(behind))) return false
    if (this.bitsUnder !== mark) this.bits = 0
    this.bitsUnder = mark
    for (const [n, record] of this.all.entries()) if (behind.includes(record)) this.bits |= 1 << n
    return true
  }

  /** Without Redis: true when no record is older than the owners' silence allows. */
  isRecentEnough(): boolean | Promise<boolean> {
    const nowMs = performance.now()
    const old = this.all.filter(({ agreedMs }) => nowMs - agreedMs > REVERIFY_AFTER_MS)
    if (old.length === 0) return true
    return Promise.allSettled(old.map((record) => record.reload(nowMs))).then(
      () => !old.some(({ agreedMs, value }) => value === undefined || nowMs - agreedMs > UNVERIFIED_MAX_MS),
    )
  }

  /** Loads begun after this moment; false when an owner does not answer or the request has asked too often. */
  private async reload(records: AnyRecord[]): Promise<boolean> {
    this.reloads += 1
    if (this.reloads > RELOADS_MAX) return false
    const sinceMs = performance.now()
    try {
      await Promise.all(records.map((record) => record.reload(sinceMs)))
    } catch (err) {
      this.logger.warn({ err, account: this.caller.account.id }, 'a record cannot be had from its owner')
      return false
    }
    return true
  }
}
