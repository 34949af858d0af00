import type { Decision } from '@tapeline/contracts/usage/events'
import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import { decodeDecision, type StoredDetail } from '../request-log/encode-detail.ts'
import { fromEach, isOfAccount, type Source } from '../request-log/source-queries.ts'
import type { LimitsReplayTable } from '../account-tables.ts'
import type { Tables } from '../tables.ts'
import type { UsageRow } from './recorded-request.ts'

type Db = Kysely<Tables>
export type ReplayRow = Selectable<LimitsReplayTable>

export function insertReplay(db: Db, row: Insertable<LimitsReplayTable>): Promise<ReplayRow> {
  return db.insertInto('limits_replay').values(row).returningAll().executeTakeFirstOrThrow()
}

/** The platform's, not an account's: only admins read it. */
export function findReplay(db: Db, id: string): Promise<ReplayRow | undefined> {
  return db.selectFrom('limits_replay').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Whether one is queued, or running in a process that is alive. */
export async function isReplayPending(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('limits_replay')
    .select('id')
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirst()
  return row !== undefined
}

/** Takes the oldest queued replay, or one whose process has not reported since `aliveSince`. */
export async function claimReplay(db: Db, now: Date, aliveSince: Date): Promise<ReplayRow | undefined> {
  const { rows } = await sql<ReplayRow>`
    update limits_replay set state = 'running', progress = 0, heartbeat_at = ${now.toISOString()}::timestamptz
    where id = (
      select id from limits_replay
      where state = 'queued' or (state = 'running' and heartbeat_at < ${aliveSince.toISOString()}::timestamptz)
      order by created_at limit 1 for update skip locked)
    returning *`.execute(db)
  return rows[0]
}

type Progress = Partial<Pick<Insertable<LimitsReplayTable>, 'state' | 'progress' | 'result'>>

export async function updateReplay(db: Db, id: string, now: Date, fields: Progress): Promise<void> {
  await db
    .updateTable('limits_replay')
    .set({ ...fields, heartbeat_at: now.toISOString() })
    .where('id', '=', id)
    .execute()
}

/** Accounts with requests of the tier in the period. Reading all rows of a busy day takes longer than a request may. */
export async function listAccountsOfTier(db: Db, { tier, from_at, to_at }: ReplayRow): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select distinct account_id from logged_request
    where tier = ${tier} and time >= ${from_at.toISOString()}::timestamptz and time < ${to_at.toISOString()}::timestamptz
    order by account_id`.execute(db)
  return rows.map(({ account_id: accountId }) => accountId)
}

export type ReadRow = UsageRow & { id: string; at: string }
export type RowPlace = { at: string; id: string }
type StoredRow = Omit<ReadRow, 'decision'> & StoredDetail & { decision: Decision | null }

/** The log's decisions are decoded here: PostgreSQL takes longer for that. */
const DECISION = {
  request_log_row: sql`verdict, detail, limits, proposal, null::jsonb as decision`,
  usage_event: sql`verdict, ''::bytea as detail, '' as limits, null as proposal, decision`,
} as const

/** A page of an account's requests in order of time; `after` is the last row of the page before. */
export async function listUsageRows(
  db: Db,
  { accountId, to }: { accountId: string; to: Date },
  after: RowPlace,
  limit: number,
): Promise<ReadRow[]> {
  const rowsOf = (source: Source) => sql`
    select id, request_id, time, key_id, tier, latency_us, ${DECISION[source]}
    from ${sql.table(source)}
    where ${isOfAccount(source, accountId)} and time < ${to.toISOString()}::timestamptz
      and time >= ${after.at}::timestamptz and (time, id) > (${after.at}::timestamptz, ${after.id}::uuid)
    order by time, id limit ${limit}`
  const { rows } = await sql<StoredRow>`
    select *, time::text as at, (extract(epoch from time) * 1000)::bigint as time_ms
    from (${fromEach(rowsOf)}) each_source
    order by time, id limit ${limit}`.execute(db)
  return rows.map(({ decision, ...row }) => ({ ...row, decision: decision ?? decodeDecision(row) }))
}
