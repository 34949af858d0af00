import { type Kysely, sql } from 'kysely'
import type { Tables } from '../src/tables.ts'

/** PostgreSQL backends that serve the consumer. */
export async function listConsumerBackends(db: Kysely<Tables>): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and application_name = 'audit-consumer'`.execute(
    db,
  )
  return rows.map(({ pid }) => pid)
}

export async function createDatabase(server: Kysely<Tables>, name: string): Promise<void> {
  await sql`create database ${sql.id(name)}`.execute(server)
}

export async function dropDatabase(server: Kysely<Tables>, name: string): Promise<void> {
  await sql`drop database ${sql.id(name)} with (force)`.execute(server)
}
