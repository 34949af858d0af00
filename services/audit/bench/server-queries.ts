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

/** Events of a topic that the consumer has applied. */
export async function countApplied(db: Kysely<Tables>, topic: string): Promise<number> {
  const { rows } = await sql<{ applied: string }>`
    select coalesce(sum(next_offset), 0) as applied from consumer_offset where topic = ${topic}`.execute(db)
  return Number(rows[0]?.applied)
}

/** Bytes of the request log on disk, with its indexes and dictionaries. Partitions are separate tables. */
export async function logBytes(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select sum(pg_total_relation_size(oid)) as bytes from pg_class where relkind = 'r'
      and relname ~ '^request_(log|account|kind|key|gateway)'`.execute(db)
  return Number(rows[0]?.bytes)
}

export async function createDatabase(server: Kysely<Tables>, name: string): Promise<void> {
  await sql`create database ${sql.id(name)}`.execute(server)
}

export async function dropDatabase(server: Kysely<Tables>, name: string): Promise<void> {
  await sql`drop database ${sql.id(name)} with (force)`.execute(server)
}

/** As if all hours before were closed. */
export async function closeHoursBefore(db: Kysely<Tables>, at: Date): Promise<void> {
  await sql`
    insert into usage_closing (id, closed_until, sealed_until)
    values (1, ${at.toISOString()}::timestamptz, ${at.toISOString()}::timestamptz)`.execute(db)
}
