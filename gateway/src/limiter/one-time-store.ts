import type { LimiterStore } from './redis/limiter-store.ts'

const REPLY_WITHIN_MS = 1_000

/** Values in Redis that can be read once. Each call rejects if Redis does not reply. */
export class OneTimeStore {
  private readonly store: Pick<LimiterStore, 'send'>

  constructor(store: Pick<LimiterStore, 'send'>) {
    this.store = store
  }

  async put(name: string, value: string, lifeMs: number): Promise<void> {
    const reply = await this.call(['SET', keyOf(name), value, 'PX', String(lifeMs), 'NX'])
    if (reply !== 'OK') throw new Error('the name of a one-time value is already in use')
  }

  /** Undefined if the value was never stored, has expired, or was already read. */
  async take(name: string): Promise<string | undefined> {
    const reply = await this.call(['GETDEL', keyOf(name)])
    return typeof reply === 'string' ? reply : undefined
  }

  private async call(command: readonly string[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('Redis did not answer in time')), REPLY_WITHIN_MS)
      this.store.send([command], ([result]) => {
        clearTimeout(timer)
        const error = result?.[0]
        if (result === undefined || (error !== null && error !== undefined)) reject(error ?? new Error('no reply'))
        else resolve(result[1])
      })
    })
  }
}

function keyOf(name: string): string {
  return `once:{${name}}`
}
