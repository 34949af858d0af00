import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { cancelAbandoned } from './cancel.ts'
import { splitHosts } from './database-hosts.ts'
import { primaryClient } from './primary-client.ts'
import { traceStatements } from './trace-statements.ts'

const CONNECT_TIMEOUT_MS = 1_000
const STATEMENT_TIMEOUT_MS = 2_000
const LOCK_TIMEOUT_MS = 500
const IDLE_TRANSACTION_TIMEOUT_MS = 5_000
/** Longer than the pause of work that repeats every ten seconds: a connection costs PostgreSQL more than its statements. */
const IDLE_CONNECTION_TIMEOUT_MS = 15_000

export type DatabaseOptions = {
  /** `postgres://user:password@host:port/database`; if several hosts are listed, comma-separated, the primary is used. */
  url: string
  connectionsMax: number
  applicationName: string
  /** Defaults to a value for requests; jobs (`JOB_TIMEOUTS`) and command-line tools can wait longer. */
  connectTimeoutMs?: number
  statementTimeoutMs?: number
  lockTimeoutMs?: number
  idleTransactionTimeoutMs?: number
  onError?: (error: Error) => void
}

/**
 * Timeouts of a pool for background jobs: no client waits for their statements. A lock is waited for no longer than by a request, because
 * requests and migrations queue behind a statement that waits for a table. A transaction may wait for an object store.
 */
export const JOB_TIMEOUTS = {
  connectTimeoutMs: 5_000,
  statementTimeoutMs: 60_000,
  lockTimeoutMs: LOCK_TIMEOUT_MS,
  idleTransactionTimeoutMs: 20_000,
} as const

/** Timeouts for tests, benchmarks and first data, which do not depend on how long a busy machine takes. */
export const LONG_TIMEOUTS = { connectTimeoutMs: 30_000, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000 } as const

/** For command-line tools, which can wait longer for a busy PostgreSQL than a request can. */
export const COMMAND_CONNECT_TIMEOUT_MS = 30_000

/** Creates a pool in which every wait has a timeout: connecting, statements, locks, idle transactions. */
export function createPool(options: DatabaseOptions): pg.Pool {
  const urls = splitHosts(options.url)
  const [connectionString] = urls
  const pool = new pg.Pool({
    connectionString,
    ...(urls.length > 1 ? { Client: primaryClient(urls) } : {}),
    max: options.connectionsMax,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_CONNECTION_TIMEOUT_MS,
    statement_timeout: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
    lock_timeout: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: options.idleTransactionTimeoutMs ?? IDLE_TRANSACTION_TIMEOUT_MS,
  })
  // Without this listener, a connection that breaks between two statements of a transaction ends the process.
  pool.on('connect', (client) => client.on('error', (error) => options.onError?.(error)))
  pool.on('error', () => {})
  traceStatements(pool, options.applicationName)
  cancelAbandoned(pool)
  return pool
}

/** A query builder over a pool; closing the pool closes it. */
export function connectDatabase<Tables>(pool: pg.Pool): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}
