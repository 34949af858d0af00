import type { Logger } from '@tapeline/service/logger'
import { scripts } from '../scripts/scripts.ts'
import type { LimiterStore } from './limiter-store.ts'

/** Counts connections to Redis: a record loaded before the current one is unverified. */
export type RedisEpoch = { current: number }

export type LimiterConnectionOptions = {
  store: LimiterStore
  logger: Logger
  epoch: RedisEpoch
  onUp: () => void
  onDown: () => void
  nowMs: () => number
}

const PROBE_LOST_MS = 2_000
const CHECK_RUN_ID_EVERY_MS = 1_000

/**
 * Whether Redis may be asked. A reply that is late closes the door at once; a ping, which Redis answers after everything
 * that was sent before, opens it again. A new connection or another server makes every compiled record unverified.
 * In a cluster each of these is true of every server that holds keys.
 */
export class LimiterConnection {
  isUp = false
  /** When it came back last. */
  upSinceMs = 0
  private runIds = ''
  private isProbing = false
  private readonly timer: NodeJS.Timeout
  private readonly options: LimiterConnectionOptions

  constructor(options: LimiterConnectionOptions) {
    this.options = options
    const { store } = options
    store.onReady(() => void this.connected())
    store.onClose(() => this.close())
    this.timer = setInterval(() => void this.checkRunId(), CHECK_RUN_ID_EVERY_MS)
    this.timer.unref()
  }

  /** A reply was late: nobody waits for Redis until it has answered a ping. */
  trip(): void {
    this.close()
    void this.probe()
  }

  /** Also when Redis says that it knows a script no more. */
  async loadScripts(): Promise<void> {
    await this.options.store.loadScripts(Object.values(scripts))
  }

  stop(): void {
    clearInterval(this.timer)
  }

  private async connected(): Promise<void> {
    const { epoch } = this.options
    try {
      await this.loadScripts()
      this.runIds = await this.options.store.runIds()
      epoch.current += 1
      this.open()
    } catch {
      this.trip()
    }
  }

  private async probe(): Promise<void> {
    if (this.isProbing) return
    this.isProbing = true
    const lost = setTimeout(() => this.options.store.reconnect(), PROBE_LOST_MS)
    try {
      await this.options.store.ping()
      this.open()
    } catch {
      // The connection is gone; it is made anew by the client, which then says `ready`.
    } finally {
      clearTimeout(lost)
      this.isProbing = false
    }
  }

  private open(): void {
    if (this.isUp) return
    this.isUp = true
    this.upSinceMs = this.options.nowMs()
    this.options.onUp()
  }

  private close(): void {
    if (!this.isUp) return
    this.isUp = false
    this.options.onDown()
  }

  /** Behind a proxy or a moved address another server may answer on the old connection. */
  private async checkRunId(): Promise<void> {
    if (!this.isUp) return
    try {
      const runIds = await this.options.store.runIds()
      if (runIds !== this.runIds) this.options.epoch.current += 1
      this.runIds = runIds
    } catch {
      // What is late or lost is noticed by the requests themselves.
    }
  }
}
