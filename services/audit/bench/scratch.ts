import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { connectDatabase, createPool } from '@tapeline/database/connect'
import { migrateDatabase } from '@tapeline/database/migrate'
import { readInternalKeys } from '@tapeline/service/internal-keys'
import type { Kysely } from 'kysely'
import { migrations } from '../src/migrations/all.ts'
import type { Tables } from '../src/tables.ts'
import { createDatabase, dropDatabase } from './server-queries.ts'

const CONNECTIONS_MAX = 3
const STATEMENT_TIMEOUT_MS = 1_800_000
const CONNECT_TIMEOUT_MS = 60_000
const READY_TIMEOUT_MS = 120_000
const ASK_AGAIN_MS = 200
const TICK_MICROS = 10_000

const secretText = Buffer.alloc(32, 9).toString('base64url')
export const internalKeys = readInternalKeys(`gateway>audit=${secretText}`)

export type Scratch = { db: Kysely<Tables>; url: string; name: string; drop: () => Promise<void> }

/** Creates a migrated database for this run on the server at DATABASE_URL. */
export async function openScratch(): Promise<Scratch> {
  const name = `bench_${crypto.randomUUID().replaceAll('-', '')}`
  const server = connect(required('DATABASE_URL'))
  await createDatabase(server, name)
  const url = new URL(required('DATABASE_URL'))
  url.pathname = `/${name}`
  await migrateDatabase(url.href, migrations)
  const db = connect(url.href)
  return {
    db,
    url: url.href,
    name,
    async drop() {
      await db.destroy()
      await dropDatabase(server, name)
      await server.destroy()
    },
  }
}

export type Audit = { pid: number; url: string; stop: () => Promise<void> }

/** Starts the service's main.ts. */
export async function startAudit(env: Record<string, string>): Promise<Audit> {
  const port = 20_000 + Math.floor(Math.random() * 20_000)
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'src', 'main.ts')], {
    env: {
      ...process.env,
      INTERNAL_KEYS: `gateway>audit=${secretText}`,
      CURSOR_SECRET: secretText,
      WEBHOOK_KEYS: secretText,
      EVIDENCE_KEYS: secretText,
      LOG_LEVEL: 'error',
      NODE_ENV: 'production',
      PORT: String(port),
      ...env,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  await untilReady(`${url}/readyz`, child)
  return { pid: child.pid ?? 0, url, stop: () => stop(child) }
}

/** User and system CPU time of the processes in µs; ended processes count as zero. */
export function cpuMicros(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuMicrosOf(pid), 0)
}

export function runContext() {
  return {
    at: new Date().toISOString(),
    node: process.version,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    loadAverage: loadavg(),
  }
}

export function required(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`${name} is missing`)
  return value
}

export function print(text: string): void {
  process.stdout.write(`${new Date().toISOString()} ${text}\n`)
}

/** The value at this quantile (0…1). */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
}

function connect(url: string): Kysely<Tables> {
  return connectDatabase<Tables>(
    createPool({
      url,
      connectionsMax: CONNECTIONS_MAX,
      applicationName: 'audit-bench',
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      // After ten million rows, autovacuum may hold locks.
      lockTimeoutMs: STATEMENT_TIMEOUT_MS,
    }),
  )
}

function cpuMicrosOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number)
    return (user + system) * TICK_MICROS
  } catch {
    return 0
  }
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const untilMs = Date.now() + READY_TIMEOUT_MS
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`audit ended with ${child.exitCode}`)
    if (Date.now() > untilMs) throw new Error(`${url} does not answer`)
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    return false
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
