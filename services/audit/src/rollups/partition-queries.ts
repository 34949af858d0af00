import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Tables } from '../tables.ts'

type Db = Kysely<Tables>

export const PARTITIONED_TABLES = [
  'request_log',
  'usage_minute',
  'usage_network',
  'usage_network_day',
  'usage_stream',
] as const
/** Their rows are updated by most batches, so a part of each page stays free for new versions (migration 0086). */
const UPDATED_TABLES: readonly PartitionedTable[] = ['usage_minute', 'usage_network', 'usage_network_day']
/** Written by a previous release; without new days. */
const FORMER_TABLES = ['usage_event'] as const
export const TABLES_WITH_DAYS = [...PARTITIONED_TABLES, ...FORMER_TABLES]
export type PartitionedTable = (typeof TABLES_WITH_DAYS)[number]

/** Serializes the creation of partitions. */
export async function lockPartitions(trx: Transaction<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('tapeline-usage-partitions'))`.execute(trx)
}

/** Days, as `2026-11-21`, for which a table has a partition. */
export async function listPartitionDays(db: Db, table: PartitionedTable): Promise<string[]> {
  const partitions = await listPartitions(db)
  return partitions.filter((one) => one.table === table).map(({ day }) => day)
}

export type Partition = { table: PartitionedTable; day: string }

export async function listPartitions(db: Db): Promise<Partition[]> {
  const { rows } = await sql<{ table: PartitionedTable; name: string }>`
    select p.relname as table, c.relname as name
    from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    where i.inhparent = any(${TABLES_WITH_DAYS}::regclass[]) order by 1, 2`.execute(db)
  return rows.map(({ table, name }) => ({
    table,
    day: name.slice(-8).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'),
  }))
}

/**
 * Each partition is created as a table and then attached, which takes no lock that blocks readers or writers. All in
 * one message, because a transaction waits for them.
 */
export async function createPartitions(trx: Transaction<Tables>, partitions: readonly Partition[]): Promise<void> {
  if (partitions.length === 0) return
  const statements = partitions.flatMap(({ table, day }) => {
    const partition = sql.table(partitionName(table, day))
    const [from, to] = [sql.lit(`${day}T00:00:00Z`), sql.lit(`${nextDay(day)}T00:00:00Z`)]
    return [
      sql`create table ${partition} (like ${sql.table(table)} including all) ${storageOf(table)}`,
      sql`alter table ${sql.table(table)} attach partition ${partition} for values from (${from}) to (${to})`,
    ]
  })
  await sql.join(statements, sql.raw(';\n')).execute(trx)
}

function storageOf(table: PartitionedTable): RawBuilder<unknown> {
  return UPDATED_TABLES.includes(table) ? sql`with (fillfactor = 60)` : sql``
}

export async function dropPartition(db: Db, table: PartitionedTable, day: string): Promise<void> {
  await sql`drop table ${sql.table(partitionName(table, day))}`.execute(db)
}

function partitionName(table: PartitionedTable, day: string): string {
  return `${table}_${day.replaceAll('-', '')}`
}

/** The day after a day, as `2026-11-21`. */
export function nextDay(day: string): string {
  return Temporal.PlainDate.from(day).add({ days: 1 }).toString()
}
