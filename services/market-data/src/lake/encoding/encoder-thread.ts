import { Worker } from 'node:worker_threads'
import { DamagedFile } from '../files/damaged-file.ts'
import type { FromEncoder, ToEncoder } from './encoder-messages.ts'

export type Answer = Exclude<FromEncoder, { kind: 'taken' | 'failed' }>
export type Request = {
  id: number
  answer: Promise<Answer>
  /** `moved` is memory that is transferred to the thread without a copy. */
  send: (message: ToEncoder, moved?: ArrayBuffer[]) => void
}
type Pending = { resolve: (answer: Answer) => void; reject: (error: Error) => void; onTaken: () => void }

const IDLE_MS = 10_000
/**
 * A larger young generation: most objects of a row are short-lived, so a later collection has fewer survivors to copy.
 */
const LIMITS = { maxYoungGenerationSizeMb: 96 }

/** Starts the thread with the first request and ends it after ten idle seconds. */
export function createEncoderThread(): { request: (onTaken?: () => void) => Request } {
  const pending = new Map<number, Pending>()
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let lastId = 0

  function start(): Worker {
    clearTimeout(idle)
    if (worker !== undefined) return worker
    const started = new Worker(new URL('encode-worker.ts', import.meta.url), { resourceLimits: LIMITS })
    started.on('message', settle)
    started.on('error', (error) => fail(started, error instanceof Error ? error : new Error('encoder failed')))
    started.on('exit', () => fail(started, new Error('the encoder thread ended')))
    worker = started
    return started
  }

  function settle(message: FromEncoder): void {
    const one = pending.get(message.id)
    if (message.kind === 'taken') return one?.onTaken()
    pending.delete(message.id)
    if (message.kind === 'failed') one?.reject(new DamagedFile(message.message))
    else one?.resolve(message)
    if (pending.size === 0) releaseThread()
  }

  /** Unreferences the idle thread so that the process can exit, and ends it later to free its memory. */
  function releaseThread(): void {
    const resting = worker
    resting?.unref()
    idle = setTimeout(() => {
      worker = undefined
      void resting?.terminate()
    }, IDLE_MS)
    idle.unref()
  }

  function fail(failed: Worker, error: Error): void {
    if (worker !== failed) return
    worker = undefined
    for (const { reject } of pending.values()) reject(error)
    pending.clear()
  }

  return {
    request(onTaken = () => {}) {
      const thread = start()
      thread.ref()
      lastId += 1
      const id = lastId
      const answer = new Promise<Answer>((resolve, reject) => pending.set(id, { resolve, reject, onTaken }))
      return { id, answer, send: (message, moved = []) => thread.postMessage(message, moved) }
    },
  }
}
