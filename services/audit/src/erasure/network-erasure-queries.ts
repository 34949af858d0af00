import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { isOfAccount } from '../request-log/source-queries.ts'
import { nextDay } from '../rollups/partition-queries.ts'
import type { Tables } from '../tables.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>

/** Tables with client networks of an account, in daily partitions. */
export const NETWORK_TABLES = [
  'request_log',
  'usage_event',
  'usage_stream',
  'usage_network',
  'usage_network_day',
] as const
export type NetworkTable = (typeof NETWORK_TABLES)[number]

/** What identifies a row of an account, as text, in the order in which an index returns its rows. The first is a time. */
const ROW_KEY = { time: 'timestamptz', id: 'uuid' }
const SUM_KEY = { bucket_at: 'timestamptz', network: 'text', key_id: 'text', route: 'text', outcome: 'text' }
export type Place = readonly string[]

/** The account's rows of a UTC day after one place, up to another or the end of the day. */
export type NetworkBatch = { table: NetworkTable; accountId: string; day: string; after?: Place; through?: Place }

/**
 * Runs statements that read rows in the order of an index. Otherwise PostgreSQL reads and sorts all remaining rows of a day for each batch
 * if it underestimates how many an account has.
 */
export function inIndexOrder<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (trx) => {
    await sql`
      select set_config(name, 'off', true)
      from unnest(array['enable_bitmapscan', 'enable_seqscan', 'enable_sort']) as name`.execute(trx)
    return work(trx)
  })
}

/** The first day from `from` on, as `2026-11-21`, with rows of the account; undefined: there is none. */
export async function findNextDay(
  trx: Trx,
  { table, accountId, from }: { table: NetworkTable; accountId: string; from: string },
): Promise<string | undefined> {
  const time = timeOf(table)
  const { rows } = await sql<{ day: string }>`
    select (${time} at time zone 'utc')::date::text as day from ${sql.table(table)}
    where ${isOwn(table, accountId)} and ${time} >= ${startOf(from)} order by ${time} limit 1`.execute(trx)
  return rows[0]?.day
}

/** The place of the last of the batch's first `limit` rows; undefined: it has fewer. */
export async function findBatchEnd(trx: Trx, batch: NetworkBatch, limit: number): Promise<Place | undefined> {
  const key = columnsOf(batch.table)
  const texts = sql.join(key.map((column) => sql`${column}::text`))
  const { rows } = await sql<{ place: string[] }>`
    select array[${texts}] as place from ${sql.table(batch.table)}
    where ${isInBatch(batch)} order by ${sql.join(key)} offset ${limit - 1} limit 1`.execute(trx)
  return rows[0]?.place
}

/** Sums remain consistent with their rows. */
export async function blankNetworks(trx: Trx, batch: NetworkBatch): Promise<void> {
  const table = sql.table(batch.table)
  if (keyOf(batch.table) === ROW_KEY) {
    await sql`update ${table} set network = '' where ${isInBatch(batch)} and network <> ''`.execute(trx)
    return
  }
  await sql`
    with gone as (delete from ${table} where ${isInBatch(batch)} and network <> '' returning *)
    insert into ${table} as n (account_id, bucket_at, network, key_id, route, outcome, requests, last_at)
    select account_id, bucket_at, '', key_id, route, outcome, sum(requests), max(last_at) from gone
    group by account_id, bucket_at, key_id, route, outcome
    on conflict (account_id, bucket_at, network, key_id, route, outcome) do update set
      requests = n.requests + excluded.requests,
      last_at = greatest(n.last_at, excluded.last_at)`.execute(trx)
}

function isInBatch({ table, accountId, day, after, through }: NetworkBatch): RawBuilder<unknown> {
  const time = timeOf(table)
  const key = sql.join(columnsOf(table))
  // The times alone limit the part of the index that is read, whatever the planner makes of the whole keys.
  const isAfter =
    after === undefined ? sql`true` : sql`${time} >= ${after[0]}::timestamptz and (${key}) > (${placeOf(table, after)})`
  const isThrough =
    through === undefined
      ? sql`true`
      : sql`${time} <= ${through[0]}::timestamptz and (${key}) <= (${placeOf(table, through)})`
  // Both bounds are values, so that a statement is planned for one partition.
  return sql`${isOwn(table, accountId)} and ${time} >= ${startOf(day)} and ${time} < ${startOf(nextDay(day))}
    and ${isAfter} and ${isThrough}`
}

function startOf(day: string): RawBuilder<unknown> {
  return sql`${`${day}T00:00:00Z`}::timestamptz`
}

function keyOf(table: NetworkTable): Record<string, string> {
  return table === 'usage_network' || table === 'usage_network_day' ? SUM_KEY : ROW_KEY
}

function columnsOf(table: NetworkTable): RawBuilder<unknown>[] {
  return Object.keys(keyOf(table)).map((column) => sql.ref(column))
}

function placeOf(table: NetworkTable, place: Place): RawBuilder<unknown> {
  return sql.join(Object.values(keyOf(table)).map((type, n) => sql`${place[n]}::${sql.raw(type)}`))
}

function timeOf(table: NetworkTable): RawBuilder<unknown> {
  return sql.ref(keyOf(table) === SUM_KEY ? 'bucket_at' : 'time')
}

function isOwn(table: NetworkTable, accountId: string): RawBuilder<unknown> {
  return isOfAccount(table === 'request_log' ? 'request_log_row' : 'usage_event', accountId)
}

/** Progress of erasing the networks of an account in a table. */
export type ErasurePass = { startedAt: Date; throughDay: string | null; finishedAt: Date | null }

export type PassOf = { table: NetworkTable; accountId: string }

export async function findPass(db: Db, { table, accountId }: PassOf): Promise<ErasurePass | undefined> {
  const { rows } = await sql<ErasurePass>`
    select started_at as "startedAt", through_day::text as "throughDay", finished_at as "finishedAt" from erasure_pass
    where account_id = ${accountId}::uuid and name = ${table}`.execute(db)
  return rows[0]
}

/** Replaces a finished one. */
export async function insertPass(db: Db, { table, accountId }: PassOf, at: Date): Promise<ErasurePass> {
  await sql`
    insert into erasure_pass (account_id, name, started_at) values (${accountId}::uuid, ${table}, ${at.toISOString()}::timestamptz)
    on conflict (account_id, name) do update set
      started_at = excluded.started_at, through_day = null, finished_at = null`.execute(db)
  return { startedAt: at, throughDay: null, finishedAt: null }
}

export async function markDayErased(db: Db, { table, accountId }: PassOf, day: string): Promise<void> {
  await sql`
    update erasure_pass set through_day = ${day}::date where account_id = ${accountId}::uuid and name = ${table}`.execute(
    db,
  )
}

export async function markPassFinished(db: Db, { table, accountId }: PassOf, at: Date): Promise<void> {
  await sql`
    update erasure_pass set finished_at = ${at.toISOString()}::timestamptz
    where account_id = ${accountId}::uuid and name = ${table}`.execute(db)
}
