import { connectDatabase, createPool, LONG_TIMEOUTS } from '@tapeline/database/connect'
import { migrateDatabase, type Migrations } from '@tapeline/database/migrate'
import type { Kysely } from 'kysely'
import { createHash } from 'node:crypto'
import pg from 'pg'
import { testServers } from './test-servers.ts'

export type TestDatabase<Tables> = { db: Kysely<Tables>; pool: pg.Pool; url: string; drop: () => Promise<void> }

const CONNECTIONS_MAX = 4

/** Creates a migrated database for one test file; `drop` it in afterAll. */
export async function openTestDatabase<Tables>(migrations: Migrations): Promise<TestDatabase<Tables>> {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  const url = urlOf(name)
  if (process.env['TEST_DATABASE_TEMPLATES'] === 'yes') {
    const template = await migratedTemplate(migrations)
    await onServer((client) => client.query(`create database ${name} template ${template}`))
  } else {
    await onServer((client) => client.query(`create database ${name}`))
    await migrateDatabase(url.href, migrations)
  }
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
      await onServer((client) => client.query(`drop database ${name} with (force)`))
    },
  }
}

/**
 * The database that the databases of a service are copied from, which costs less than its migrations. Only on servers
 * that end with the run: elsewhere the template would remain.
 */
async function migratedTemplate(migrations: Migrations): Promise<string> {
  const sources = Object.entries(migrations).map(([name, migration]) => `${name} ${migration.up.toString()}`)
  const name = `template_${createHash('sha256').update(sources.join('\n')).digest('hex').slice(0, 32)}`
  await onServer(async (client) => {
    // Processes of the run create it one at a time. Closing the connection releases the lock.
    await client.query('select pg_advisory_lock(hashtext($1))', [name])
    const { rows } = await client.query('select datistemplate from pg_database where datname = $1', [name])
    const [existing] = rows
    if (existing?.datistemplate === true) return
    if (existing !== undefined) await client.query(`drop database ${name} with (force)`)
    await client.query(`create database ${name}`)
    await migrateDatabase(urlOf(name).href, migrations)
    await client.query(`alter database ${name} is_template true`)
  })
  return name
}

function urlOf(database: string): URL {
  const url = new URL(testServers().databaseUrl)
  url.pathname = `/${database}`
  return url
}

async function onServer(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: testServers().databaseUrl })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
