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
  /** A reply that takes longer is not waited for. */
  replyWithinMs: number
  /** Clock of the script in tests; empty: Redis's own. */
  testClockMs?: () => string
  /** This process's own clock. */
  nowMs?: () => number
}

const LOOK_EVERY_MS = 5
/** A longer gap between two looks is this process's own sleep, not Redis's: the reply may lie in the socket unread. */
const LOOK_COUNTS_MAX_MS = 10

/** All windows of a request in one call; calls and releases of one turn of the event loop travel together. */
export class Limiter {
  readonly connection: LimiterConnection
  private calls: LimiterCall[] = []
  private releasing: LeaseList[] = []
  private waiting: Waiting[] = []
  private batches: Batch[] = []
  private isFlushDue = false
  private timer: NodeJS.Timeout | undefined
  private lookedMs = 0
  private readonly options: LimiterOptions
  private readonly nowMs: () => number

  constructor(options: LimiterOptions) {
    this.options = options
    this.nowMs = options.nowMs ?? Date.now
    const { store, logger, epoch, onUp } = options
    const { nowMs } = this
    this.connection = new LimiterConnection({ store, logger, epoch, onUp, nowMs, onDown: () => this.abandonAll() })
  }

  ask(query: LimitQuery, pending: PendingDecision): void {
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
   * Gives a lease back. With `onDone` at once, and it is told when Redis has answered or cannot; without it before the next
   * decision of this process, or a few milliseconds later: on one connection that is the same for whoever asks through it.
   */
  release(counters: AccountCounters, leaseId: string, onDone?: () => void): void {
    this.giveBack(counters.leases, leaseId)
    const ofKey = counters.keyLeases.get(leaseId)
    if (ofKey !== undefined) {
      counters.keyLeases.delete(leaseId)
      this.giveBack(ofKey, leaseId)
    }
    if (!this.connection.isUp) onDone?.()
    else if (onDone === undefined) this.startLooking()
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
    this.startLooking()
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

  private giveBack(list: LeaseList, leaseId: string): void {
    if (list.released.push(leaseId) === 1) this.releasing.push(list)
  }

  private giveBackLater(list: LeaseList, leaseId: string): void {
    this.giveBack(list, leaseId)
    if (this.connection.isUp) this.startLooking()
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
      if (results[n]?.[0]) for (const leaseId of leaseIds) this.giveBackLater(list, leaseId)
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
        () => this.askAgain(call),
        () => decideWithout(call),
      )
    } else {
      this.options.logger.debug({ err: result?.[0] }, 'the limiter answered with an error')
      decideWithout(call)
    }
  }

  /** The request was decided by the share already. An error is no list of numbers. */
  private settleLate(call: LimiterCall, reply: unknown): void {
    if (isNumbers(reply)) {
      recordUsage(call, reply, this.nowMs())
      settleLateReply(call, reply)
    }
    this.giveBackUnused(call)
  }

  private askAgain({ query, pending }: LimiterCall): void {
    for (const one of pending) this.ask(query, one)
  }

  /** Nobody waited for this reply: what it admitted is released, unless the request runs by the share and is still open. */
  private giveBackUnused({ query: { counters, purpose, caps }, pending }: LimiterCall): void {
    if (purpose !== 'count') return
    for (const { leaseId } of pending) {
      if (counters.leases.open.has(leaseId)) continue
      this.giveBackLater(counters.leases, leaseId)
      if (caps?.leases !== undefined) this.giveBackLater(caps.leases, leaseId)
    }
  }

  private startLooking(): void {
    if (this.timer !== undefined) return
    this.lookedMs = performance.now()
    this.timer = setInterval(() => this.lookAtClock(), LOOK_EVERY_MS)
  }

  private lookAtClock(): void {
    const nowMs = performance.now()
    const passedMs = Math.min(nowMs - this.lookedMs, LOOK_COUNTS_MAX_MS)
    this.lookedMs = nowMs
    if (this.releasing.length > 0 && this.connection.isUp) this.flush()
    else if (this.batches.length === 0) {
      clearInterval(this.timer)
      this.timer = undefined
    }
    let isLate = false
    for (const batch of this.batches) {
      batch.waitedMs += passedMs
      // The clock is looked at every few milliseconds: nobody waits longer than was said.
      if (!batch.isAbandoned && batch.waitedMs > this.options.replyWithinMs - LOOK_EVERY_MS) isLate = true
    }
    if (isLate) this.connection.trip()
  }

  private abandonAll(): void {
    for (const batch of this.batches) {
      if (batch.isAbandoned) continue
      batch.isAbandoned = true
      for (const { onDone } of batch.waiting) onDone()
      for (const call of batch.calls) decideWithout(call)
    }
    this.abandonQueued()
  }

  /** Releases stay where they are until Redis is back. */
  private abandonQueued(): void {
    const { calls, waiting } = this
    this.calls = []
    this.waiting = []
    for (const { onDone } of waiting) onDone()
    for (const call of calls) decideWithout(call)
  }
}

function decideWithout({ pending }: LimiterCall): void {
  for (const one of pending) one.onUnavailable()
}

function isNumbers(reply: unknown): reply is number[] {
  return Array.isArray(reply) && typeof reply[0] === 'number'
}
