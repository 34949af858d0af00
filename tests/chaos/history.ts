import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** A request as seen by its client; without a status there was no complete response. */
export type ClientRequest = {
  account: string
  startMs: number
  endMs: number
  requestId?: string
  status?: number
  isDegraded?: boolean
  retryAfter?: string
}
/** A fault of the platform, with its start and end. */
export type Fault = { what: string; name: string; startMs: number; endMs: number }
export type History = {
  requests: ClientRequest[]
  faults: Fault[]
  add: (request: ClientRequest) => void
  /** Adds an entry to the history file. */
  note: (kind: string, entry: object) => void
  during: <T>(what: string, name: string, work: () => Promise<T>) => Promise<T>
}

/** Everything that happened in a drill, in memory and optionally in a file with one JSON object per line. */
export function createHistory(file?: string): History {
  const requests: ClientRequest[] = []
  const faults: Fault[] = []
  if (file !== undefined) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '')
  }
  const write = (kind: string, entry: object) => {
    if (file !== undefined) appendFileSync(file, `${JSON.stringify({ kind, ...entry })}\n`)
  }
  return {
    requests,
    faults,
    add(one) {
      requests.push(one)
      write('request', one)
    },
    note: write,
    async during(what, name, work) {
      const startMs = Date.now()
      try {
        return await work()
      } finally {
        const fault = { what, name, startMs, endMs: Date.now() }
        faults.push(fault)
        write('fault', fault)
      }
    },
  }
}

/** Requests in progress at any moment of the fault. */
export function requestsDuring(
  requests: readonly ClientRequest[],
  { startMs, endMs }: Pick<Fault, 'startMs' | 'endMs'>,
): ClientRequest[] {
  return requests.filter((one) => one.startMs <= endMs && one.endMs >= startMs)
}
