import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { waitUntil } from '@tapeline/testing/wait-until'

export type ServerFigures = { cpuMs: number; rssBytes: number; heapBytes: number; metrics: string }
export type ClientFigures = {
  frames: number
  bytes: number
  sampledClients: number
  sampledRecords: number
  missing: number
  delaysMs: number[]
}
export type OpenClients = { count: number; port: number; headers: string; texts: string[]; kind: 'websocket' | 'redis' }

const ARRIVED_WITHIN_MS = 60_000
/** One in this many clients parses its messages; a prime, so that these clients follow different instruments. */
export const SAMPLED_EVERY = 101

/** A server under measurement, on a separate port. */
export async function startServer(kind: 'stream' | 'plain', environment: Record<string, string>) {
  const child = fork(join(import.meta.dirname, 'stream-process.ts'), {
    execArgv: ['--expose-gc'],
    env: { ...process.env, ...environment, BENCH_SERVER: kind },
  })
  const { port } = await answer<{ port: number }>(child)
  return {
    port,
    figures: () => request<ServerFigures>(child, { figures: true }),
    sendToAll: (text: string) => void child.send({ toAll: text }),
    stop: () => stop(child),
  }
}

/** Client connections, in a separate process. */
export function startClients() {
  const child = fork(join(import.meta.dirname, 'clients-process.ts'))
  const report = () => request<ClientFigures>(child, { report: true })
  return {
    open: (open: OpenClients) => request<ClientFigures>(child, { open }),
    /** Every client sends this text. */
    send: (text: string) => request<ClientFigures>(child, { send: text }),
    report,
    untilFrames: (frames: number) =>
      waitUntil(`${frames} frames`, async () => (await report()).frames >= frames, ARRIVED_WITHIN_MS),
    /**
     * Waits for the parsing clients: consecutive messages may be merged, so the number of frames is less exact.
     */
    untilSampled: (records: number) =>
      waitUntil(
        `${records} records at sampled clients`,
        async () => (await report()).sampledRecords >= records,
        ARRIVED_WITHIN_MS,
      ),
    close: () => request<ClientFigures>(child, { close: true }),
    stop: () => stop(child),
  }
}
export type Clients = ReturnType<typeof startClients>

async function request<T>(child: ChildProcess, message: object): Promise<T> {
  const answered = answer<T>(child)
  child.send(message)
  return answered
}

async function answer<T>(child: ChildProcess): Promise<T> {
  const settled = new AbortController()
  const { signal } = settled
  try {
    const [first] = (await Promise.race([once(child, 'message', { signal }), failed(child, signal)])) as [T]
    return first
  } finally {
    settled.abort()
  }
}

async function failed(child: ChildProcess, signal: AbortSignal): Promise<never> {
  const [code] = await once(child, 'exit', { signal })
  throw new Error(`a process of the benchmark ended with ${String(code)}`)
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
