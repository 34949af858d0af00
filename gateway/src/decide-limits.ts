import type { Logger } from '@tapeline/service/logger'
import type { KnownAccount } from './known-account.ts'
import type { Epoch } from './known-record.ts'
import {
  type Asker,
  answerAskers,
  canJoin,
  learnUsage,
  type LimiterCall,
  type Question,
  scriptArguments,
  tellCounted,
} from './limiter-call.ts'
import type { LeaseList } from './lease-list.ts'
import { type Flight, flightOf, flightsByAccount, type Waiting } from './limiter-flight.ts'
import { LimiterConnection } from './limiter-connection.ts'
import { scripts } from './limiter-scripts.ts'
import type { Command, LimiterStore, Result } from './limiter-store.ts'

export type LimiterOptions = {
  store: LimiterStore
  logger: Logger
  epoch: Epoch
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
  private flights: Flight[] = []
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

  ask(question: Question, asker: Asker): void {
    if (!this.connection.isUp) {
      asker.onAway()
      return
    }
    const last = this.calls.at(-1)
    if (last !== undefined && canJoin(last, question)) last.askers.push(asker)
    else this.calls.push({ question, askers: [asker] })
    this.flushSoon()
  }

  /**
   * Gives a lease back. With `onDone` at once, and it is told when Redis has answered or cannot; without it before the next
   * decision of this process, or a few milliseconds later: on one connection that is the same for whoever asks through it.
   */
  release(account: KnownAccount, leaseId: string, onDone?: () => void): void {
    this.giveBack(account.leases, leaseId)
    const ofKey = account.keyLeases.get(leaseId)
    if (ofKey !== undefined) {
      account.keyLeases.delete(leaseId)
      this.giveBack(ofKey, leaseId)
    }
    if (!this.connection.isUp) onDone?.()
    else if (onDone === undefined) this.startLooking()
    else {
      this.waiting.push({ accountId: account.id, onDone })
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
    for (const flight of this.takeOff()) {
      this.flights.push(flight)
      this.send(flight)
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

  private takeOff(): Flight[] {
    const released = this.releasing.map((list) => ({ list, leaseIds: list.released }))
    for (const { list } of released) list.released = []
    const { calls, waiting } = this
    this.calls = []
    this.releasing = []
    this.waiting = []
    const cargo = { calls, released, waiting }
    return this.options.store.isSplit ? flightsByAccount(cargo) : [flightOf(cargo)]
  }

  private send(flight: Flight): void {
    const clock = this.options.testClockMs?.() ?? ''
    const commands: Command[] = flight.released.map(({ list, leaseIds }) => ['ZREM', list.key, ...leaseIds])
    for (const call of flight.calls) {
      const [keys, ...words] = scriptArguments(call, clock)
      commands.push(['EVALSHA', scripts.decide.sha, String(keys), ...words])
    }
    this.options.store.send(commands, (results) => this.land(flight, results))
  }

  private land(flight: Flight, results: Result[]): void {
    const at = this.flights.indexOf(flight)
    if (at !== -1) this.flights.splice(at, 1)
    const { calls, released } = flight
    for (const [n, { list, leaseIds }] of released.entries()) {
      if (results[n]?.[0]) for (const leaseId of leaseIds) this.giveBackLater(list, leaseId)
    }
    for (const [n, call] of calls.entries()) this.landCall(flight, call, results[released.length + n])
    if (!flight.isAbandoned) for (const { onDone } of flight.waiting) onDone()
  }

  private landCall({ isAbandoned }: Flight, call: LimiterCall, result: Result | undefined): void {
    const reply = result?.[1]
    if (isAbandoned) {
      this.landLate(call, reply)
    } else if (result !== undefined && result[0] === null && isNumbers(reply)) {
      learnUsage(call, reply, this.nowMs())
      answerAskers(call, reply)
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
  private landLate(call: LimiterCall, reply: unknown): void {
    if (isNumbers(reply)) {
      learnUsage(call, reply, this.nowMs())
      tellCounted(call, reply)
    }
    this.giveBackUnused(call)
  }

  private askAgain({ question, askers }: LimiterCall): void {
    for (const asker of askers) this.ask(question, asker)
  }

  /** Nobody waited for this reply: what it admitted is released, unless the request runs by the share and is still open. */
  private giveBackUnused({ question: { account, purpose, caps }, askers }: LimiterCall): void {
    if (purpose !== 'count') return
    for (const { leaseId } of askers) {
      if (account.leases.open.has(leaseId)) continue
      this.giveBackLater(account.leases, leaseId)
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
    else if (this.flights.length === 0) {
      clearInterval(this.timer)
      this.timer = undefined
    }
    let isLate = false
    for (const flight of this.flights) {
      flight.waitedMs += passedMs
      // The clock is looked at every few milliseconds: nobody waits longer than was said.
      if (!flight.isAbandoned && flight.waitedMs > this.options.replyWithinMs - LOOK_EVERY_MS) isLate = true
    }
    if (isLate) this.connection.trip()
  }

  private abandonAll(): void {
    for (const flight of this.flights) {
      if (flight.isAbandoned) continue
      flight.isAbandoned = true
      for (const { onDone } of flight.waiting) onDone()
      for (const call of flight.calls) decideWithout(call)
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

function decideWithout({ askers }: LimiterCall): void {
  for (const asker of askers) asker.onAway()
}

function isNumbers(reply: unknown): reply is number[] {
  return Array.isArray(reply) && typeof reply[0] === 'number'
}
