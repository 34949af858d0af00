import type { RedisEpoch } from '../limiter/redis/limiter-connection.ts'

export type CachedRecordOptions<T> = { fetch: () => Promise<T | undefined>; epoch: RedisEpoch }

/** An owner's record in this process: one load at a time, and whether the loaded value may be used. */
export class CachedRecord<T extends { version: number }> {
  private loaded: T | undefined
  /** Lowest usable version, as published on a topic or read from Redis. */
  private minVersion = 0
  /** When the load that returned the value began. */
  private loadBegunMs = -Infinity
  private confirmedMs = -Infinity
  private verifiedEpoch = -1
  private loading: Promise<void> | undefined
  private readonly options: CachedRecordOptions<T>

  constructor(options: CachedRecordOptions<T>) {
    this.options = options
  }

  get value(): T | undefined {
    return this.loaded
  }

  /** When the limiter or the owner last confirmed that the value is current. */
  get confirmedAtMs(): number {
    return this.confirmedMs
  }

  isUsable(): boolean {
    return (
      this.loaded !== undefined &&
      this.verifiedEpoch === this.options.epoch.current &&
      this.loaded.version >= this.minVersion
    )
  }

  /** Versions below `minVersion` are no longer used. */
  invalidate(minVersion: number): void {
    if (minVersion > this.minVersion) this.minVersion = minVersion
  }

  confirm(nowMs: number): void {
    this.confirmedMs = nowMs
  }

  /**
   * Resolves once a value is loaded by a request that began at or after `sinceMs`. Joins a running load if it began in
   * time; otherwise waits for it and starts another.
   */
  async reload(sinceMs: number): Promise<void> {
    while (this.loadBegunMs < sinceMs) {
      this.loading ??= this.load(this.options.fetch)
      await this.loading
    }
  }

  /** Loads a value by `fetch` instead of the usual request; joins a load that is under way. */
  async loadBy(fetch: () => Promise<T | undefined>): Promise<void> {
    this.loading ??= this.load(fetch)
    await this.loading
  }

  private async load(fetch: () => Promise<T | undefined>): Promise<void> {
    const begunMs = performance.now()
    const epoch = this.options.epoch.current
    try {
      this.loaded = await fetch()
      this.loadBegunMs = begunMs
      this.confirmedMs = begunMs
      this.verifiedEpoch = epoch
    } finally {
      this.loading = undefined
    }
  }
}
