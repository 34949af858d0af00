import { Kysely, PostgresDialect } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import pg from 'pg'

export type Migrations = Record<string, Migration>

/** Brings a database up to date; Kysely's migrator holds an advisory lock, so two at once are safe. */
export async function migrateDatabase(url: string, migrations: Migrations): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  // A connection that breaks fails the statement on it; between statements, or while it closes, nobody would listen.
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
