import { parentPort } from 'node:worker_threads'
import { cancelWith } from '@tapeline/database/cancel'
import { connectDatabase, createPool, JOB_TIMEOUTS } from '@tapeline/database/connect'
import { openStore } from '@tapeline/objects/open-store'
import { type Config, loadConfig } from '../config.ts'
import type { Deps } from '../deps.ts'
import type { Tables } from '../tables.ts'

/** Two locks and a statement (deploy/manifests/database-connections.ts). */
const CONNECTIONS_MAX = 3

/**
 * Runs the work of a thread's script with the configuration of its process and the timeouts of jobs, and posts the result. A message to the
 * thread cancels its statements.
 */
export async function workInThread(
  applicationName: string,
  work: (deps: Pick<Deps, 'db' | 'now' | 'store'>, config: Config) => Promise<unknown>,
): Promise<void> {
  const config = loadConfig(process.env)
  const pool = createPool({
    ...JOB_TIMEOUTS,
    statementTimeoutMs: config.DATABASE_JOBS_STATEMENT_TIMEOUT_MS,
    url: config.DATABASE_URL,
    connectionsMax: CONNECTIONS_MAX,
    applicationName,
  })
  const stopping = new AbortController()
  parentPort?.once('message', () => stopping.abort())
  // Listening alone does not keep the thread.
  parentPort?.unref()
  const deps = {
    db: connectDatabase<Tables>(pool),
    now: () => new Date(),
    store: config.LAKE_URL === '' ? undefined : openStore(config),
  }
  try {
    const result = await cancelWith(stopping.signal, () => work(deps, config))
    if (result !== undefined) parentPort?.postMessage(result)
  } finally {
    await pool.end()
  }
}
