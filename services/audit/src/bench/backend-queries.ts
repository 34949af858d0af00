import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'

/** Processes of PostgreSQL that work for the consumer. */
export async function listConsumerBackends(db: Kysely<Tables>): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and application_name = 'audit-consumer'`.execute(
    db,
  )
  return rows.map(({ pid }) => pid)
}
