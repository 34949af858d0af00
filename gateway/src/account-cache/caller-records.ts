import type { Logger } from '@tapeline/service/logger'
import type { Caller } from './cached-account.ts'
import type { CachedRecord } from './cached-record.ts'
import type { StaleVersions } from '../limiter/limiter-call.ts'

type AnyRecord = CachedRecord<{ version: number }>

/** Per request: one each if not cached, unverified after a reconnection, and missing in Redis; two more if Redis loses it again. */
const RELOADS_MAX = 5
/** Without Redis, a record is reloaded when its last confirmation is older than this … */
const REVERIFY_AFTER_MS = 5_000
/** … and, while its owner is unavailable, used until its last confirmation is older than this. */
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

  /** Records (bits: 1 user, 2 subscription, 4 key) that were loaded after Redis reported their versions as missing. */
  loaded(): string {
    return this.bits === 0 ? '' : `${this.bitsUnder}:${this.bits}`
  }

  /** The limiter or the owners have confirmed that all are current. */
  confirm(): void {
    const nowMs = performance.now()
    for (const record of this.all) record.confirm(nowMs)
  }

  async reloadUnusable(): Promise<boolean> {
    return this.reload(this.all.filter((record) => !record.isUsable()))
  }

  async reloadAll(): Promise<boolean> {
    return this.reload(this.all)
  }

  /** Reloads the records whose version in Redis is higher, or missing. */
  async reloadStale({ user, subscription, key, mark }: StaleVersions): Promise<boolean> {
    const versions = [user, subscription, key]
    const stale = this.all.filter((record, n) => {
      const version = versions[n] ?? -1
      return version === -1 || (record.value?.version ?? -1) < version
    })
    for (const [n, record] of this.all.entries()) record.invalidate(versions[n] ?? -1)
    if (!(await this.reload(stale))) return false
    if (this.bitsUnder !== mark) this.bits = 0
    this.bitsUnder = mark
    for (const [n, record] of this.all.entries()) if (stale.includes(record)) this.bits |= 1 << n
    return true
  }

  /** Without Redis: true when every record was confirmed recently enough, after a reload where one is due. */
  isRecentEnough(): boolean | Promise<boolean> {
    const nowMs = performance.now()
    const old = this.all.filter(({ confirmedAtMs }) => nowMs - confirmedAtMs > REVERIFY_AFTER_MS)
    if (old.length === 0) return true
    return Promise.allSettled(old.map((record) => record.reload(nowMs))).then(
      () => !old.some(({ confirmedAtMs, value }) => value === undefined || nowMs - confirmedAtMs > UNVERIFIED_MAX_MS),
    )
  }

  /** Uses loads that begin after this call; false if an owner does not answer or the reloads are used up. */
  private async reload(records: AnyRecord[]): Promise<boolean> {
    this.reloads += 1
    if (this.reloads > RELOADS_MAX) return false
    const sinceMs = performance.now()
    try {
      await Promise.all(records.map((record) => record.reload(sinceMs)))
    } catch (err) {
      const { id } = this.caller.account
      this.logger.warn(
        { err, account: id },
        'account cache: loading a record from its owner failed; the request gets 503',
      )
      return false
    }
    return true
  }
}
