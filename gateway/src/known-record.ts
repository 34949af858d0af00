/** Counts connections to Redis: a record loaded before the newest one is unverified. */
export type Epoch = { current: number }

export type RecordOptions<T> = { ask: () => Promise<T | undefined>; epoch: Epoch }

/** An owner's record as this process knows it: one load at a time, and when it may still be believed. */
export class KnownRecord<T extends { version: number }> {
  value: T | undefined
  /** Version heard on a topic: a lower record is not used. */
  floor = 0
  /** When the load began that brought the value. */
  loadBegunMs = -Infinity
  /** When the limiter or the owner last said that the value is current. */
  agreedMs = -Infinity
  private verifiedEpoch = -1
  private loading: Promise<void> | undefined
  private readonly options: RecordOptions<T>

  constructor(options: RecordOptions<T>) {
    this.options = options
  }

  isUsable(): boolean {
    return (
      this.value !== undefined && this.verifiedEpoch === this.options.epoch.current && this.value.version >= this.floor
    )
  }

  hear(version: number): void {
    if (version > this.floor) this.floor = version
  }

  /** Brings a value whose load began at `sinceMs` or later; joins a load that did, and waits for one that did not. */
  async reload(sinceMs: number): Promise<void> {
    while (this.loadBegunMs < sinceMs) {
      this.loading ??= this.load(this.options.ask)
      await this.loading
    }
  }

  /** Brings a value by another question to the owner; joins a load that is under way. */
  async loadBy(ask: () => Promise<T | undefined>): Promise<void> {
    this.loading ??= this.load(ask)
    await this.loading
  }

  private async load(ask: () => Promise<T | undefined>): Promise<void> {
    const begunMs = performance.now()
    const epoch = this.options.epoch.current
    try {
      this.value = await ask()
      this.loadBegunMs = begunMs
      this.agreedMs = begunMs
      this.verifiedEpoch = epoch
    } finally {
      this.loading = undefined
    }
  }
}
