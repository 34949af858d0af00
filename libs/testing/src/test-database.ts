import { connectDatabase, createPool, LONG_TIMEOUTS } from '@tapeline/database/connect'
import { migrateDatabase, type Migrations } from '@tapeline/database/migrate'
import type { Kysely } from 'kysely'
import pg from 'pg'
import { testServers } from './test-servers.ts'

export type TestDatabase<Tables> = { db: Kysely<Tables>; pool: pg.Pool; url: string; drop: () => Promise<void> }

const CONNECTIONS_MAX = 4

/** Creates a migrated database for one test file; `drop` it in afterAll. */
export async function openTestDatabase<Tables>(migrations: Migrations): Promise<TestDatabase<Tables>> {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  await onServer(`create database ${name}`)
  const url = new URL(testServers().databaseUrl)
  url.pathname = `/${name}`
  await migrateDatabase(url.href, migrations)
  const pool = createPool({
    url: url.href,
    connectionsMax: CONNECTIONS_MAX,
    applicationName: 'tapeline-test',
    // The tests do not depend on how long a busy machine takes.
    ...LONG_TIMEOUTS,
    idleTransactionTimeoutMs: LONG_TIMEOUTS.statementTimeoutMs,
  })
  return {
    db: connectDatabase<Tables>(pool),
    pool,
    url: url.href,
    async drop() {
      await pool.end()
      await onServer(`drop database ${name} with (force)`)
    },
  }
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: testServers().databaseUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
