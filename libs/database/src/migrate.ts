import { Kysely, PostgresDialect } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import pg from 'pg'
import { splitHosts } from './database-hosts.ts'
import { findPrimary } from './find-primary.ts'

export type Migrations = Record<string, Migration>

/**
 * Applies all pending migrations. Kysely's migrator takes an advisory lock, so concurrent runs are safe.
 * @returns the names of the applied migrations
 * @throws the first error; the migration that caused it is rolled back
 */
export async function migrateDatabase(url: string, migrations: Migrations): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: await writableUrl(url), max: 1 })
  // A broken connection fails its statement; between statements, an `error` event without a listener would end the
  // process.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', () => {})
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
    const { error, results } = await migrator.migrateToLatest()
    if (error !== undefined) throw error
    return (results ?? []).map(({ migrationName }) => migrationName)
  } finally {
    await db.destroy()
  }
}

async function writableUrl(url: string): Promise<string> {
  const urls = splitHosts(url)
  return urls.length === 1 ? url : findPrimary(urls)
}
