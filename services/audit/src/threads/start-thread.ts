import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

const MS_PER_S = 1_000

export type ThreadReport<T> = {
  /** `seconds`: how long the thread ran. */
  onDone: (result: T, seconds: number) => void
  onFailure: (err: unknown) => void
}

/** Scripts that run or wait. */
const started = new Set<string>()
let last: Promise<void> = Promise.resolve()

/**
 * Runs a script (work-in-thread.ts) in a thread, unless it is still at work or waiting: one thread at a time, because each has connections
 * and files in memory. Does not wait for the end, and neither does a process that stops: the work may end at any point.
 */
export function startThread<T>(script: URL, report: ThreadReport<T>): void {
  if (started.has(script.href)) return
  started.add(script.href)
  last = last.then(() => runThread(script, report))
}

async function runThread<T>(script: URL, { onDone, onFailure }: ThreadReport<T>): Promise<void> {
  const startedAt = performance.now()
  const results: T[] = []
  try {
    const worker = new Worker(script)
    worker.unref()
    worker.once('message', (result: T) => results.push(result))
    await once(worker, 'exit')
  } catch (err) {
    onFailure(err)
    return
  } finally {
    started.delete(script.href)
  }
  for (const result of results) onDone(result, Math.round((performance.now() - startedAt) / MS_PER_S))
}
