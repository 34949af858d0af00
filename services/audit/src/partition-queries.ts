import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables } from './tables.ts'

type Db = Kysely<Tables>

export type PartitionedTable = 'usage_event' | 'usage_minute' | 'usage_network'
export const PARTITIONED_TABLES: readonly PartitionedTable[] = ['usage_event', 'usage_minute', 'usage_network']

/** One maker of partitions at a time. */
export async function lockPartitions(trx: Transaction<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('tapeline-usage-partitions'))`.execute(trx)
}

/** Days, as `2026-11-21`, for which a table has a partition. */
export async function listPartitionDays(db: Db, table: PartitionedTable): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::regclass order by 1`.execute(db)
  return rows.map(({ name }) => name.slice(-8).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'))
}

/** Made beside its parent and attached: that takes no lock which a reader or writer would wait for. */
export async function createPartition(trx: Transaction<Tables>, table: PartitionedTable, day: string): Promise<void> {
  const partition = sql.table(partitionName(table, day))
  await sql`create table ${partition} (like ${sql.table(table)} including all)`.execute(trx)
  await sql`
    alter table ${sql.table(table)} attach partition ${partition}
    for values from (${sql.lit(`${day}T00:00:00Z`)}) to (${sql.lit(`${nextDay(day)}T00:00:00Z`)})`.execute(trx)
}

export async function dropPartition(db: Db, table: PartitionedTable, day: string): Promise<void> {
  await sql`drop table ${sql.table(partitionName(table, day))}`.execute(db)
}

function partitionName(table: PartitionedTable, day: string): string {
  return `${table}_${day.replaceAll('-', '')}`
}

function nextDay(day: string): string {
  return Temporal.PlainDate.from(day).add({ days: 1 }).toString()
}
