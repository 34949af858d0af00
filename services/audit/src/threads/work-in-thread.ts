import { parentPort } from 'node:worker_threads'
import { connectDatabase, createPool, LONG_TIMEOUTS } from '@tapeline/database/connect'
import { openStore } from '@tapeline/objects/open-store'
import { type Config, loadConfig } from '../config.ts'
import type { Deps } from '../deps.ts'
import type { Tables } from '../tables.ts'

/** Two locks and a statement (deploy/manifests/database-connections.ts). */
const CONNECTIONS_MAX = 3

/** Runs the work of a thread's script with the configuration of its process, and posts the result. */
export async function workInThread(
  applicationName: string,
  work: (deps: Pick<Deps, 'db' | 'now' | 'store'>, config: Config) => Promise<unknown>,
): Promise<void> {
  const config = loadConfig(process.env)
  const pool = createPool({
    ...LONG_TIMEOUTS,
    url: config.DATABASE_URL,
    connectionsMax: CONNECTIONS_MAX,
    applicationName,
  })
  try {
    const result = await work(
      {
        db: connectDatabase<Tables>(pool),
        now: () => new Date(),
        store: config.LAKE_URL === '' ? undefined : openStore(config),
      },
      config,
    )
    if (result !== undefined) parentPort?.postMessage(result)
  } finally {
    await pool.end()
  }
}
