import { migrateDatabase, type Migrations } from './migrate.ts'

/** Entry point of a service's `migrate.ts`: reads DATABASE_URL, migrates and logs the result. */
export async function runMigrations(service: string, migrations: Migrations): Promise<void> {
  const url = process.env.DATABASE_URL
  if (url === undefined || url === '') {
    process.stderr.write(`${service}: DATABASE_URL is missing\n`)
    process.exit(1)
  }
  const done = await migrateDatabase(url, migrations)
  process.stdout.write(`${service}: ${done.length === 0 ? 'up to date' : `migrated ${done.join(', ')}`}\n`)
}
