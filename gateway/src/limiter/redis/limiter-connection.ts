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
 * Whether Redis may be used. A late reply ends its use immediately; an answered ping, which Redis handles after all
 * earlier commands, resumes it. A new connection or another server makes every cached record unverified. In a cluster
 * this applies to every server with keys.
 */
export class LimiterConnection {
  isUp = false
  /** When the connection last became usable. */
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

  /** A reply was late: no decision waits for Redis until it has answered a ping. */
  trip(): void {
    this.close()
    void this.probe()
  }

  /** Also called when Redis answers NOSCRIPT. */
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
      // The connection is lost; the client reconnects and then calls the ready listeners.
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

  /** Behind a proxy, the existing connection may be to another server. */
  private async checkRunId(): Promise<void> {
    if (!this.isUp) return
    try {
      const runIds = await this.options.store.runIds()
      if (runIds !== this.runIds) this.options.epoch.current += 1
      this.runIds = runIds
    } catch {
      // Late and lost replies are detected by the decisions themselves.
    }
  }
}
