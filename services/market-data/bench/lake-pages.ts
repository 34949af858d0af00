import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { UserActor } from '@tapeline/contracts/actor'
import { ACTOR_HEADER, signActorToken } from '@tapeline/service/actor-token'
import { someUser } from '@tapeline/testing/actors'
import { testInternalKeys } from '@tapeline/testing/call-as'
import type { LakeConfig } from '@tapeline/objects/open-store'
import { seededRandom } from '@tapeline/testing/seeded-random'
import type pg from 'pg'
import { dayStart } from '../src/nanoseconds.ts'
import { listBackends } from './backend-queries.ts'
import { FIRST_DAY } from './busy-market.ts'

export const PAGE_ROWS = 1_000
/** Warm-up before each measurement: while code is being compiled, a page costs up to twice as much. */
const WARM_PAGES = 400
/** The encoding that current clients prefer; its cost is part of the figures. */
const ENCODING = 'zstd'
/** Longer than everything that follows the rows of a page. */
const END_BYTES = 4_096
const TICK_MICROS = 10_000

type Used = { cpuMicros: number; rssBytes: number }
export type Server = { port: number; used: () => Promise<Used>; child: ChildProcess }
export type Case = {
  source: string
  symbol: string
  spanSeconds: number
  way: 'walking' | 'random place'
  clients: number
}

/** The service in a separate process; `lake` are its settings of the lake. */
export async function startServer(databaseUrl: string, lake: Partial<LakeConfig>): Promise<Server> {
  const env = { ...process.env, DATABASE_URL: databaseUrl, ...lake }
  const child = fork(join(import.meta.dirname, 'lake-server.ts'), { env })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  const used = async () => {
    const answer = once(child, 'message')
    child.send('used')
    const [figures] = (await answer) as [Used]
    return figures
  }
  return { port, used, child }
}

type Measured = Case & { pages: number; storePid?: number | undefined }

/** Pages over HTTP: times as a client sees them, CPU of the service, of PostgreSQL and of the S3 server. */
export async function measurePages({ port, used }: Server, pool: pg.Pool, { storePid, ...load }: Measured) {
  const { clients, pages } = load
  const stores = storePid === undefined ? [] : [storePid]
  const random = seededRandom(7)
  const warm = Math.ceil(WARM_PAGES / clients)
  await Promise.all(Array.from({ length: clients }, () => readPages(port, load, { random, count: warm })))
  const backends = await listBackends(pool, 'lake-bench')
  const before = { ...(await used()), postgres: cpuMicrosOf(backends), store: cpuMicrosOf(stores) }
  const startedMs = performance.now()
  const each = Math.ceil(pages / clients)
  const read = await Promise.all(Array.from({ length: clients }, () => readPages(port, load, { random, count: each })))
  const times = read.flatMap((one) => one.times)
  const seconds = (performance.now() - startedMs) / 1_000
  const after = { ...(await used()), postgres: cpuMicrosOf(backends), store: cpuMicrosOf(stores) }
  const sorted = times.toSorted((one, other) => one - other)
  const perPage = (micros: number) => Number((micros / times.length / 1_000).toFixed(2))
  return {
    ...load,
    encoding: ENCODING,
    pages: times.length,
    errors: read.reduce((sum, { errors }) => sum + errors, 0),
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    pagesPerSecond: Math.round(times.length / seconds),
    serviceCpuMsPerPage: perPage(after.cpuMicros - before.cpuMicros),
    postgresCpuMsPerPage: perPage(increase(before.postgres, after.postgres)),
    ...(storePid === undefined ? {} : { storeCpuMsPerPage: perPage(increase(before.store, after.store)) }),
    serviceRssMb: Math.round(after.rssBytes / 1024 / 1024),
  }
}

type Reading = { random: () => number; count: number }

/** Milliseconds of each page of one account; a walk begins at a random place and stays in order. */
async function readPages(port: number, { symbol, spanSeconds, way }: Case, { random, count }: Reading) {
  const actor = someUser({ tier: 'pro' })
  const times: number[] = []
  let errors = 0
  let cursor: string | null = null
  for (let n = 0; n < count; n += 1) {
    const second = Math.floor(random() * (spanSeconds - PAGE_ROWS))
    const start = String(dayStart(FIRST_DAY) + BigInt(second) * 1_000_000_000n)
    const first = { venues: ['sim'], symbols: [symbol], start, limit: PAGE_ROWS }
    const body = way === 'walking' && cursor !== null ? { cursor, limit: PAGE_ROWS } : first
    const startedMs = performance.now()
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/trades/list`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-encoding': ENCODING, [ACTOR_HEADER]: token(actor) },
      body: JSON.stringify(body),
    })
    const bytes = await response.bytes()
    if (response.ok) times.push(performance.now() - startedMs)
    else errors += 1
    collectGarbage({ type: 'minor' })
    cursor = response.headers.get('x-rows-returned') === String(PAGE_ROWS) ? cursorIn(bytes) : null
  }
  return { times, errors }
}

/**
 * Frees what a page left in this process before the next call: otherwise every tenth page waits for a full garbage
 * collection of the client, which would dominate the slowest pages.
 */
const collectGarbage = exposeCollector()

function exposeCollector(): (options: { type: 'minor' }) => void {
  setFlagsFromString('--expose-gc')
  const collector: unknown = runInNewContext('gc')
  if (!isFunction(collector)) throw new Error('V8 exposes no collector')
  return collector
}

function isFunction(value: unknown): value is (options: { type: 'minor' }) => void {
  return typeof value === 'function'
}

/** The cursor, found in the last bytes of a page: parsing its rows would take CPU from the service on the same cores. */
function cursorIn(page: Uint8Array): string | null {
  const end = Buffer.from(page.subarray(-END_BYTES)).toString()
  return /"next_cursor":"([^"]+)"/.exec(end)?.[1] ?? null
}

/** Actor token of a separate account. */
export function actorToken(): string {
  return token(someUser({ tier: 'pro' }))
}

function token(actor: UserActor): string {
  return signActorToken(testInternalKeys, { caller: 'gateway', audience: 'market-data', actor, nowMs: Date.now() })
}

/** User and system time by process, from /proc; a backend whose connection was closed is left out. */
function cpuMicrosOf(pids: readonly number[]): Map<number, number> {
  const times = new Map<number, number>()
  for (const pid of pids) {
    const file = `/proc/${pid}/stat`
    if (!existsSync(file)) continue
    const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? []
    times.set(pid, (Number(fields[11]) + Number(fields[12])) * TICK_MICROS)
  }
  return times
}

function increase(before: Map<number, number>, after: Map<number, number>): number {
  return [...after].reduce((sum, [pid, micros]) => sum + micros - (before.get(pid) ?? micros), 0)
}

export function quantile(sorted: readonly number[], share: number): number {
  return Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2))
}
