import type { AccountCounters } from './account-counters.ts'
import type { Leases } from './leases.ts'
import type { Limiter } from './limiter.ts'
import { LEASE_MS } from './limiter-call.ts'
import type { LimiterStore } from './redis/limiter-store.ts'
import { scripts } from './scripts/scripts.ts'

export type ConnectionSlotsOptions = {
  store: Pick<LimiterStore, 'evaluate' | 'send'>
  limiter: Pick<Limiter, 'connection'>
  leases: Pick<Leases, 'newId' | 'openIn' | 'closeIn'>
  gatewaysExpected: number
}
export type TakenSlot = { isTaken: true; leaseId: string } | { isTaken: false; used: number }

const REPLY_WITHIN_MS = 1_000

/**
 * The stream connections of accounts, over all gateways: leases that expire 10 s after their gateway has stopped. Without
 * Redis each gateway process allows its share of the limit, at least one.
 */
export class ConnectionSlots {
  private readonly options: ConnectionSlotsOptions

  constructor(options: ConnectionSlotsOptions) {
    this.options = options
  }

  async take(counters: AccountCounters, limit: number): Promise<TakenSlot> {
    const { leases } = this.options
    const { streams } = counters
    const leaseId = leases.newId()
    // Open from the beginning, so that concurrent requests of an outage see each other.
    const openBefore = streams.open.size
    leases.openIn(streams, leaseId)
    const reply = await this.evaluate('takeSlot', streams.key, [LEASE_MS, limit, leaseId])
    const [isFree, used] = isPair(reply) ? [reply[0] === 1, reply[1]] : [openBefore < this.shareOf(limit), openBefore]
    if (isFree) return { isTaken: true, leaseId }
    this.release(counters, leaseId)
    return { isTaken: false, used }
  }

  release({ streams }: AccountCounters, leaseId: string): void {
    const { leases, store, limiter } = this.options
    leases.closeIn(streams, leaseId)
    if (limiter.connection.isUp) store.send([['ZREM', streams.key, leaseId]], () => {})
  }

  /** Open streams of the account; without Redis those of this process. */
  async count({ streams }: AccountCounters): Promise<number> {
    const reply = await this.evaluate('countSlots', streams.key, [])
    return typeof reply === 'number' ? reply : streams.open.size
  }

  private shareOf(limit: number): number {
    return Math.max(1, Math.floor(limit / this.options.gatewaysExpected))
  }

  /** Undefined if Redis did not reply. */
  private async evaluate(name: 'takeSlot' | 'countSlots', key: string, argv: (string | number)[]): Promise<unknown> {
    const { store, limiter } = this.options
    if (!limiter.connection.isUp) return undefined
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), REPLY_WITHIN_MS)
    })
    const reply = store.evaluate(scripts[name], [key], argv).catch(() => undefined)
    return Promise.race([reply, late]).finally(() => clearTimeout(timer))
  }
}

function isPair(reply: unknown): reply is [number, number] {
  return Array.isArray(reply) && typeof reply[0] === 'number' && typeof reply[1] === 'number'
}
