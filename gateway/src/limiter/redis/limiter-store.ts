import type { Script } from '../scripts/scripts.ts'

export type Command = readonly string[]
export type Result = [error: Error | null, reply: unknown]

/** Where the limiter's counters are: one Redis, or a cluster of them. */
export type LimiterStore = {
  /** True: commands sent together must be of one account. */
  readonly isSplit: boolean
  /** Sends immediately and in this order; `onReplies` is called once, with all replies. Without a connection each is an error. */
  send: (commands: readonly Command[], onReplies: (results: Result[]) => void) => void
  evaluate: (script: Script, keys: readonly string[], argv: readonly (string | number)[]) => Promise<unknown>
  /** Called when a connection is ready, the first time and after each loss; the caller decides whether to use it. */
  onReady: (listener: () => void) => void
  onClose: (listener: () => void) => void
  /** These three concern every server that stores keys. */
  loadScripts: (scripts: readonly Script[]) => Promise<void>
  ping: () => Promise<void>
  /** A changed value: another server, or the same one restarted. */
  runIds: () => Promise<string>
  /** Drops the connection and opens a new one. */
  reconnect: () => void
  disconnect: () => void
}

/** Resolves when the store is ready, or after `timeoutMs`: a process also starts without Redis. */
export async function storeReady(store: LimiterStore, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), timeoutMs)
    store.onReady(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}

export const runIdIn = (info: string): string => /run_id:(\w+)/.exec(info)?.[1] ?? ''
