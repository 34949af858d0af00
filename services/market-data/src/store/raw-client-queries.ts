import { type Kysely, sql, type Transaction } from 'kysely'
import type pg from 'pg'

export type ClientOf = <Tables>(trx: Transaction<Tables>) => Promise<pg.ClientBase>

/** Finds the connection of a Kysely transaction by its backend id: COPY needs the connection itself. */
export function trackClients(pool: pg.Pool): ClientOf {
  const clients = new Map<number, pg.ClientBase>()
  pool.on('connect', (client) => clients.set(backendIdOf(client), client))
  pool.on('remove', (client) => clients.delete(backendIdOf(client)))
  return async (trx) => {
    const client = clients.get(await findBackendId(trx))
    if (client === undefined) throw new Error('this transaction does not run on a tracked pool')
    return client
  }
}

async function findBackendId<Tables>(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ id: number }>`select pg_backend_pid() as id`.execute(db)
  return rows[0]?.id ?? 0
}

function backendIdOf(client: object): number {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : 0
}
