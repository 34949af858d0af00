import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RowSize } from '../run/read-row-size.ts'
import type { LoadResult } from '../run/load-result.ts'

/** Files that contain the page's measured figures. */
export const SOURCES = {
  archive: 'request-archive.json',
  bench: 'bench.json',
  consumer: 'audit-consumer.json',
  dashboard: 'answer-to-dashboard.json',
  load: 'load-verify-and-read-average.json',
  soak: 'soak.json',
} as const

export type Figures = {
  gateway: { cpuMicros: number; redisMicros: number; rssMb: number; p99Ms: number; perSecond: number; at: string }
  /** In full batches, as when it catches up, and in batches at the steady rate. */
  consumer: { cpuMicros: number; postgresMicros: number; steadyMicros: number; steadyPerSecond: number; at: string }
  dashboard: { perSecond: number; p99Ms: number; at: string }
  /** CPU time by process of `verify-and-read` under k6; undefined until a result is stored with --write. */
  load: LoadResult | undefined
  /** Bytes of a row of the request log with its indexes, of the sums per request, and of an archived request, and CPU time to archive one: undefined until measured. */
  rows:
    | {
        bytesPerRow: number
        rows: number
        rollUpBytesPerRow: number
        archivedBytes: number
        archiveMicros: number
        at: string
      }
    | undefined
  /** Result of the soak test; undefined until measured. */
  soak: { held: boolean; minutes: number; perSecond: number; at: string } | undefined
}

type Bench = {
  at: string
  plan: { perSecond: number }
  summary: {
    target: string
    cpuMicrosPerRequest: number
    redisMicrosPerRequest: number
    rssMb: number
    p99Ms: number
  }[]
}
type PerEvent = { consumerCpuMicrosPerEvent: number; postgresCpuMicrosPerEvent: number }
type Consumer = {
  at: string
  backlog: PerEvent
  steady: PerEvent & { perSecond: number }
  storage: { rows: number; bytesPerRow: number }
}
type Soak = { at: string; held: boolean; minutes: number; perSecond: number; storage: RowSize | null }
type Dashboard = { at: string; perSecond: number; seenAfterMs: { p99: number } }

type Archive = { bytesInArchive: number; archiveCpuMicrosPerRow: number }

export function readFigures(dir: string): Figures {
  const bench = read<Bench>(dir, SOURCES.bench)
  const gateway = bench.summary.find(({ target }) => target === 'gateway')
  if (gateway === undefined) throw new Error(`${SOURCES.bench} has no gateway`)
  const { at, steady, backlog, storage } = read<Consumer>(dir, SOURCES.consumer)
  const soak = readOptional<Soak>(dir, SOURCES.soak)
  const { at: seenAt, perSecond, seenAfterMs } = read<Dashboard>(dir, SOURCES.dashboard)
  const { bytesInArchive: archivedBytes, archiveCpuMicrosPerRow: archiveMicros } = read<Archive>(dir, SOURCES.archive)
  return {
    gateway: {
      cpuMicros: gateway.cpuMicrosPerRequest,
      redisMicros: gateway.redisMicrosPerRequest,
      rssMb: gateway.rssMb,
      p99Ms: gateway.p99Ms,
      perSecond: bench.plan.perSecond,
      at: bench.at,
    },
    consumer: {
      cpuMicros: backlog.consumerCpuMicrosPerEvent,
      postgresMicros: backlog.postgresCpuMicrosPerEvent,
      steadyMicros: steady.consumerCpuMicrosPerEvent,
      steadyPerSecond: steady.perSecond,
      at,
    },
    dashboard: { perSecond, p99Ms: seenAfterMs.p99, at: seenAt },
    load: readOptional<LoadResult>(dir, SOURCES.load),
    rows: soak?.storage
      ? { ...storage, rollUpBytesPerRow: soak.storage.rollUpBytesPerRow, archivedBytes, archiveMicros, at }
      : undefined,
    soak: soak && { held: soak.held, minutes: soak.minutes, perSecond: soak.perSecond, at: soak.at },
  }
}

/** The files are written by this repository's scripts. */
function read<T>(dir: string, name: string): T {
  return JSON.parse(readFileSync(join(dir, name), 'utf8')) as T
}

function readOptional<T>(dir: string, name: string): T | undefined {
  return existsSync(join(dir, name)) ? read<T>(dir, name) : undefined
}
