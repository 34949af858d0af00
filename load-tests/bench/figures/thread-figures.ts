import { readdirSync, readFileSync } from 'node:fs'

/** Purpose of the threads of a Node process, by thread name. */
const KINDS: [kind: string, name: RegExp][] = [
  ['collector and compiler', /V8Worker/],
  ['shipper', /^WorkerThread/],
  ['libuv', /libuv/],
]
const MAIN = 'main'
const OTHER = 'other'
const NANOS_PER_MICRO = 1_000

export type ThreadMicros = Record<string, number>

/** CPU time by kind of thread, from the scheduler's statistics; ended threads are not included. */
export function threadMicros(pid: number): ThreadMicros {
  const micros: ThreadMicros = {}
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const dir = `/proc/${pid}/task/${thread}`
    const kind = Number(thread) === pid ? MAIN : kindOf(readOrEmpty(`${dir}/comm`).trim())
    const [nanos = '0'] = readOrEmpty(`${dir}/schedstat`).split(' ')
    micros[kind] = (micros[kind] ?? 0) + Number(nanos) / NANOS_PER_MICRO
  }
  return micros
}

/** CPU time used between two samples, per request. */
export function perRequest(before: ThreadMicros, after: ThreadMicros, requests: number): ThreadMicros {
  const used = Object.entries(after).map(([kind, micros]) => [kind, (micros - (before[kind] ?? 0)) / requests] as const)
  return Object.fromEntries(used.filter(([, micros]) => micros > 0))
}

function kindOf(name: string): string {
  return KINDS.find(([, pattern]) => pattern.test(name))?.[0] ?? OTHER
}

/** A thread may end between listing and reading. */
function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
