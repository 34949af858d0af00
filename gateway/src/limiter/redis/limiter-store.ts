import type { Script } from '../scripts/scripts.ts'

export type Command = readonly string[]
export type Result = [error: Error | null, reply: unknown]

/** Where the limiter's counters are: one Redis, or a cluster of them. */
export type LimiterStore = {
  /** Commands that travel together must be of one account. */
  readonly isSplit: boolean
  /** Sent at once and in this order; calls back once, with all replies. Without a connection each is an error. */
  send: (commands: readonly Command[], onReplies: (results: Result[]) => void) => void
  evaluate: (script: Script, keys: readonly string[], argv: readonly (string | number)[]) => Promise<unknown>
  /** A connection is there, after the first one and after each loss; the caller decides whether it may be used. */
  onReady: (listener: () => void) => void
  onClose: (listener: () => void) => void
  /** These three concern every server that holds keys. */
  loadScripts: (scripts: readonly Script[]) => Promise<void>
  ping: () => Promise<void>
  /** Another one: another server, or the same one started again. */
  runIds: () => Promise<string>
  /** Drops the connection and makes it anew. */
  reconnect: () => void
  disconnect: () => void
}

/** Resolves when the store can be asked, or after `timeoutMs`: a process starts without Redis too. */
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
