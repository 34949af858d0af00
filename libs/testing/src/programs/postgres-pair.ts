import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { takeFreePort } from '../../../../deploy/local/ports/free-port.ts'
import { startPostgres } from '../../../../deploy/local/servers/postgres.ts'
import type { ServerProcess } from '../../../../deploy/local/servers/server-process.ts'
import { waitUntil } from '../wait-until.ts'

export type PostgresPair = {
  /** Both servers, in the format of `DATABASE_URL`: the standby first. */
  url: string
  primary: ServerProcess
  standby: ServerProcess
  /** Waits until everything committed so far is on the standby. */
  untilReplayed: () => Promise<void>
  /** Makes the standby a primary. */
  promote: () => Promise<void>
  stop: () => Promise<void>
}

const PASSWORD = 'pair'

/** A primary and its streaming standby in `dir`, for one test. */
export async function startPostgresPair(dir: string): Promise<PostgresPair> {
  const [primaryDir, standbyDir] = [join(dir, 'primary'), join(dir, 'standby')]
  const [primaryPort, standbyPort] = [await takeFreePort(), await takeFreePort()]
  const first = await startPostgres({ dir: primaryDir, port: primaryPort, password: PASSWORD })
  await first.stop()
  mkdirSync(standbyDir, { recursive: true })
  cpSync(join(primaryDir, 'postgres'), join(standbyDir, 'postgres'), { recursive: true })
  writeFileSync(join(standbyDir, 'postgres', 'standby.signal'), '')
  const primary = await startPostgres({ dir: primaryDir, port: primaryPort, password: PASSWORD })
  const standby = await startPostgres({
    dir: standbyDir,
    port: standbyPort,
    password: PASSWORD,
    settings: { primary_conninfo: `host=127.0.0.1 port=${primaryPort} user=postgres password=${PASSWORD}` },
  })
  return {
    url: `postgres://postgres:${PASSWORD}@127.0.0.1:${standbyPort},127.0.0.1:${primaryPort}/postgres?target_session_attrs=read-write`,
    primary,
    standby,
    untilReplayed: async () => untilReplayed(`${primary.url}/postgres`),
    promote: async () => promote(`${standby.url}/postgres`),
    stop: async () => void (await Promise.all([primary.child.kill(), standby.child.kill()])),
  }
}

async function untilReplayed(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rows: written } = await client.query<{ lsn: string }>('select pg_current_wal_lsn() as lsn')
    await waitUntil('the standby has replayed everything', async () => {
      const { rowCount } = await client.query({
        text: 'select from pg_stat_replication where replay_lsn >= $1::pg_lsn',
        values: [written[0]?.lsn],
      })
      return rowCount === 1
    })
  })
}

async function promote(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('select pg_promote(false)')
    await waitUntil('the standby is promoted', async () => {
      const { rows } = await client.query<{ done: boolean }>('select not pg_is_in_recovery() as done')
      return rows[0]?.done
    })
  })
}

async function withClient(url: string, run: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await run(client)
  } finally {
    await client.end()
  }
}
