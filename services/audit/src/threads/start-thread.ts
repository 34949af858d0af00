import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

const MS_PER_S = 1_000
const STOP_TIMEOUT_MS = 1_000

export type ThreadReport<T> = {
  /** `seconds`: how long the thread ran. */
  onDone: (result: T, seconds: number) => void
  onFailure: (err: unknown) => void
}

/** Scripts that run or wait. */
const started = new Set<string>()
let running: Worker | undefined
let last: Promise<void> = Promise.resolve()

/**
 * Runs a script (work-in-thread.ts) in a thread, unless it is still at work or waiting: one thread at a time, because each has connections
 * and files in memory. Does not wait for the end.
 */
export function startThread<T>(script: URL, report: ThreadReport<T>): void {
  if (started.has(script.href)) return
  started.add(script.href)
  last = last.then(() => runThread(script, report))
}

/**
 * Cancels the statements of the running thread, and starts no other: work may end at any point, and a later run continues. Resolves when the
 * thread has ended, after 1 s at the latest.
 */
export async function stopThreads(): Promise<void> {
  started.clear()
  if (running === undefined) return
  const ended = once(running, 'exit').catch(() => {})
  running.postMessage('stop')
  await Promise.race([ended, delay(STOP_TIMEOUT_MS)])
}

async function runThread<T>(script: URL, { onDone, onFailure }: ThreadReport<T>): Promise<void> {
  if (!started.has(script.href)) return
  const startedAt = performance.now()
  const results: T[] = []
  try {
    running = new Worker(script)
    running.unref()
    running.once('message', (result: T) => results.push(result))
    await once(running, 'exit')
  } catch (err) {
    onFailure(err)
    return
  } finally {
    running = undefined
    started.delete(script.href)
  }
  for (const result of results) onDone(result, Math.round((performance.now() - startedAt) / MS_PER_S))
}
