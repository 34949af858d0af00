import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** A request as seen by its client; without a status there was no complete response. */
export type Asked = {
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
  asked: Asked[]
  faults: Fault[]
  add: (asked: Asked) => void
  /** For readers of the history file. */
  note: (kind: string, entry: object) => void
  during: <T>(what: string, name: string, work: () => Promise<T>) => Promise<T>
}

/** Everything that happened in a drill, in memory and optionally in a file with one JSON object per line. */
export function createHistory(file?: string): History {
  const asked: Asked[] = []
  const faults: Fault[] = []
  if (file !== undefined) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '')
  }
  const write = (kind: string, entry: object) => {
    if (file !== undefined) appendFileSync(file, `${JSON.stringify({ kind, ...entry })}\n`)
  }
  return {
    asked,
    faults,
    add(one) {
      asked.push(one)
      write('asked', one)
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
export function underWay(asked: readonly Asked[], { startMs, endMs }: Pick<Fault, 'startMs' | 'endMs'>): Asked[] {
  return asked.filter((one) => one.startMs <= endMs && one.endMs >= startMs)
}
