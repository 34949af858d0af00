import type { StreamEventName } from '@tapeline/contracts/audit/events-stream'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables } from '../tables.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>

export type NewStreamEvent = { scope: string; name: StreamEventName; data: unknown }

/** Serializes the writers per scope, so that a reader who saw a position has seen all earlier ones. */
export async function lockScopes(trx: Trx, scopes: readonly string[]): Promise<void> {
  for (const scope of [...new Set(scopes)].toSorted()) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`stream ${scope}`}, 0))`.execute(trx)
  }
}

export async function insertStreamEvents(trx: Trx, events: readonly NewStreamEvent[]): Promise<void> {
  const rows = events.map(({ scope, name, data }) => ({
    scope,
    name,
    data: JSON.stringify(data),
    created_at: sql<string>`now()`,
  }))
  await trx.insertInto('stream_event').values(rows).execute()
}

/** Last position of each scope: everything after it is new. */
export type ScopePosition = { scope: string; position: bigint }
export type StreamEventRow = { scope: string; position: string; name: string; data: unknown }

/** Events after these positions, in order, at most `limit` per scope. */
export async function listStreamEvents(
  db: Db,
  positions: readonly ScopePosition[],
  limit: number,
): Promise<StreamEventRow[]> {
  const { rows } = await sql<StreamEventRow>`
    select event.scope, event.position, event.name, event.data
    from unnest(${positions.map(({ scope }) => scope)}::text[], ${positions.map(({ position }) => String(position))}::bigint[])
      as behind (scope, position)
    cross join lateral (
      select * from stream_event where scope = behind.scope and position > behind.position
      order by position limit ${limit}
    ) event
    order by event.position`.execute(db)
  return rows
}

export async function findLastPosition(db: Db, scope: string): Promise<bigint> {
  const row = await db
    .selectFrom('stream_event')
    .select('position')
    .where('scope', '=', scope)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return BigInt(row?.position ?? 0)
}

export async function deleteStreamEventsBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('stream_event').where('created_at', '<', before).execute()
}

export type LiveUsage = {
  account_id: string
  windows: unknown
  windows_at: Date
  minute_at: Date
  total: string
  failed: string
  denied: string
}

/** The latest limits of each of these accounts, if later than `since`, and the sums of the current minute. */
export async function listLiveUsage(
  db: Db,
  accountIds: readonly string[],
  { now, since }: { now: Date; since: Date },
): Promise<LiveUsage[]> {
  const { rows } = await sql<LiveUsage>`
    select account.account_id, account.windows, account.windows_at, minute.*
    from usage_account account
    cross join lateral (
      select date_trunc('minute', ${now.toISOString()}::timestamptz) as minute_at,
        coalesce(sum(requests), 0) as total,
        coalesce(sum(requests) filter (where outcome <> 'ok'), 0) as failed,
        coalesce(sum(requests) filter (where outcome = 'denied'), 0) as denied
      from usage_minute
      where account_id = account.account_id
        and bucket_at = date_trunc('minute', ${now.toISOString()}::timestamptz)
    ) minute
    where account.account_id = any(${accountIds}::uuid[])
      and account.windows_at > ${since.toISOString()}::timestamptz`.execute(db)
  return rows
}
