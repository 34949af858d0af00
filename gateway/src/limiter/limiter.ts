import type { Logger } from '@tapeline/service/logger'
import type { AccountCounters } from './account-counters.ts'
import {
  type PendingDecision,
  settlePending,
  canJoin,
  recordUsage,
  type LimiterCall,
  type LimitQuery,
  scriptArguments,
  settleLateReply,
} from './limiter-call.ts'
import type { LeaseList } from './lease-list.ts'
import { type Batch, batchOf, batchesByAccount, type Waiting } from './limiter-batch.ts'
import { LimiterConnection, type RedisEpoch } from './redis/limiter-connection.ts'
import { scripts } from './scripts/scripts.ts'
import type { Command, LimiterStore, Result } from './redis/limiter-store.ts'

export type LimiterOptions = {
  store: LimiterStore
  logger: Logger
  epoch: RedisEpoch
  onUp: () => void
  /** Later replies do not decide: the fallback limiter does. */
  replyWithinMs: number
  /** Clock of the script in tests; empty: Redis's own. */
  testClockMs?: () => string
  /** This process's own clock. */
  nowMs?: () => number
}

const CHECK_EVERY_MS = 5
/** A longer gap between two checks is a pause of this process, not of Redis: the reply may already be in the socket. */
const GAP_COUNTED_MAX_MS = 10

/** All windows of a request in one call; calls and releases of one turn of the event loop are one batch. */
export class Limiter {
  readonly connection: LimiterConnection
  private calls: LimiterCall[] = []
  private releasing: LeaseList[] = []
  private waiting: Waiting[] = []
  private batches: Batch[] = []
  private isFlushDue = false
  private timer: NodeJS.Timeout | undefined
  private checkedMs = 0
  private readonly options: LimiterOptions
  private readonly nowMs: () => number

  constructor(options: LimiterOptions) {
    this.options = options
    this.nowMs = options.nowMs ?? Date.now
    const { store, logger, epoch, onUp } = options
    const { nowMs } = this
    this.connection = new LimiterConnection({ store, logger, epoch, onUp, nowMs, onDown: () => this.abandonAll() })
  }

  decide(query: LimitQuery, pending: PendingDecision): void {
    if (!this.connection.isUp) {
      pending.onUnavailable()
      return
    }
    const last = this.calls.at(-1)
    if (last !== undefined && canJoin(last, query)) last.pending.push(pending)
    else this.calls.push({ query, pending: [pending] })
    this.flushSoon()
  }

  /**
   * Releases a lease. With `onDone` it is sent immediately, and `onDone` is called once Redis has replied or is
   * unavailable. Without it the release is sent before the next decision of this process, or a few milliseconds later.
   */
  release(counters: AccountCounters, leaseId: string, onDone?: () => void): void {
    this.queueRelease(counters.leases, leaseId)
    const ofKey = counters.keyLeases.get(leaseId)
    if (ofKey !== undefined) {
      counters.keyLeases.delete(leaseId)
      this.queueRelease(ofKey, leaseId)
    }
    if (!this.connection.isUp) onDone?.()
    else if (onDone === undefined) this.startChecks()
    else {
      this.waiting.push({ accountId: counters.accountId, onDone })
      this.flushSoon()
    }
  }

  /** Sends now what would be sent at the end of this turn. */
  flush(): void {
    this.isFlushDue = false
    if (!this.connection.isUp) {
      this.abandonQueued()
      return
    }
    if (this.calls.length === 0 && this.releasing.length === 0) return
    this.startChecks()
    for (const batch of this.dispatch()) {
      this.batches.push(batch)
      this.send(batch)
    }
  }

  stop(): void {
    clearInterval(this.timer)
    this.connection.stop()
  }

  private flushSoon(): void {
    if (this.isFlushDue) return
    this.isFlushDue = true
    setImmediate(() => this.flush())
  }

  private queueRelease(list: LeaseList, leaseId: string): void {
    if (list.released.push(leaseId) === 1) this.releasing.push(list)
  }

  private releaseLater(list: LeaseList, leaseId: string): void {
    this.queueRelease(list, leaseId)
    if (this.connection.isUp) this.startChecks()
  }

  private dispatch(): Batch[] {
    const released = this.releasing.map((list) => ({ list, leaseIds: list.released }))
    for (const { list } of released) list.released = []
    const { calls, waiting } = this
    this.calls = []
    this.releasing = []
    this.waiting = []
    const cargo = { calls, released, waiting }
    return this.options.store.isSplit ? batchesByAccount(cargo) : [batchOf(cargo)]
  }

  private send(batch: Batch): void {
    const clock = this.options.testClockMs?.() ?? ''
    const commands: Command[] = batch.released.map(({ list, leaseIds }) => ['ZREM', list.key, ...leaseIds])
    for (const call of batch.calls) {
      const [keys, ...words] = scriptArguments(call, clock)
      commands.push(['EVALSHA', scripts.decide.sha, String(keys), ...words])
    }
    this.options.store.send(commands, (results) => this.settle(batch, results))
  }

  private settle(batch: Batch, results: Result[]): void {
    const at = this.batches.indexOf(batch)
    if (at !== -1) this.batches.splice(at, 1)
    const { calls, released } = batch
    for (const [n, { list, leaseIds }] of released.entries()) {
      if (results[n]?.[0]) for (const leaseId of leaseIds) this.releaseLater(list, leaseId)
    }
    for (const [n, call] of calls.entries()) this.settleCall(batch, call, results[released.length + n])
    if (!batch.isAbandoned) for (const { onDone } of batch.waiting) onDone()
  }

  private settleCall({ isAbandoned }: Batch, call: LimiterCall, result: Result | undefined): void {
    const reply = result?.[1]
    if (isAbandoned) {
      this.settleLate(call, reply)
    } else if (result !== undefined && result[0] === null && isNumbers(reply)) {
      recordUsage(call, reply, this.nowMs())
      settlePending(call, reply)
    } else if (result?.[0]?.message.startsWith('NOSCRIPT') === true) {
      this.connection.loadScripts().then(
        () => this.decideAgain(call),
        () => settleUnavailable(call),
      )
    } else {
      this.options.logger.debug(
        { err: result?.[0] },
        'limiter: Redis answered with an error; the fallback limiter decides',
      )
      settleUnavailable(call)
    }
  }

  /** The fallback has decided the request already. An error reply is not a list of numbers. */
  private settleLate(call: LimiterCall, reply: unknown): void {
    if (isNumbers(reply)) {
      recordUsage(call, reply, this.nowMs())
      settleLateReply(call, reply)
    }
    this.releaseUnused(call)
  }

  private decideAgain({ query, pending }: LimiterCall): void {
    for (const one of pending) this.decide(query, one)
  }

  /** The reply was late: its leases are released, unless the fallback admitted the request and it is still open. */
  private releaseUnused({ query: { counters, purpose, caps, keyShadow }, pending }: LimiterCall): void {
    if (purpose !== 'count') return
    const ofKey = caps?.leases ?? keyShadow?.leases
    for (const { leaseId } of pending) {
      if (counters.leases.open.has(leaseId)) continue
      this.releaseLater(counters.leases, leaseId)
      if (ofKey !== undefined) this.releaseLater(ofKey, leaseId)
    }
  }

  private startChecks(): void {
    if (this.timer !== undefined) return
    this.checkedMs = performance.now()
    this.timer = setInterval(() => this.check(), CHECK_EVERY_MS)
  }

  private check(): void {
    const nowMs = performance.now()
    const passedMs = Math.min(nowMs - this.checkedMs, GAP_COUNTED_MAX_MS)
    this.checkedMs = nowMs
    if (this.releasing.length > 0 && this.connection.isUp) this.flush()
    else if (this.batches.length === 0) {
      clearInterval(this.timer)
      this.timer = undefined
    }
    let isLate = false
    for (const batch of this.batches) {
      batch.waitedMs += passedMs
      // Subtracts the interval of the checks, so that no request waits longer than `replyWithinMs`.
      if (!batch.isAbandoned && batch.waitedMs > this.options.replyWithinMs - CHECK_EVERY_MS) isLate = true
    }
    if (isLate) this.connection.trip()
  }

  private abandonAll(): void {
    for (const batch of this.batches) {
      if (batch.isAbandoned) continue
      batch.isAbandoned = true
      for (const { onDone } of batch.waiting) onDone()
      for (const call of batch.calls) settleUnavailable(call)
    }
    this.abandonQueued()
  }

  /** Keeps releases queued until Redis is available again. */
  private abandonQueued(): void {
    const { calls, waiting } = this
    this.calls = []
    this.waiting = []
    for (const { onDone } of waiting) onDone()
    for (const call of calls) settleUnavailable(call)
  }
}

function settleUnavailable({ pending }: LimiterCall): void {
  for (const one of pending) one.onUnavailable()
}

function isNumbers(reply: unknown): reply is number[] {
  return Array.isArray(reply) && typeof reply[0] === 'number'
}
