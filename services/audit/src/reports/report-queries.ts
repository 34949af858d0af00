import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { GROUPINGS } from '@tapeline/contracts/audit/http'
import type { Outcome, Policy } from '@tapeline/contracts/usage/events'
import type { Range } from '../rollups/read-plan.ts'
import type { Statuses } from './read-statuses.ts'
import type { Stored } from '../rollups/roll-up.ts'
import { rowsInRanges } from '../rollups/roll-up-queries.ts'
import type { Tables } from '../tables.ts'

type Db = Kysely<Tables>
export type Grouping = (typeof GROUPINGS)[number]

export type UsageFilter = {
  accountId: string
  route: string | undefined
  keyId: string | undefined
  statuses?: Statuses | undefined
  outcome?: Outcome | undefined
}
export type UsageSumQuery = UsageFilter & {
  level: Stored
  ranges: readonly Range[]
  edgesMs: readonly number[]
  groupBy: Grouping
  /** Offset of the account's time zone from UTC in ms, for hours of the day. */
  offsetMs: number
  withLatency: boolean
}
/** `latency` is a sketch in base64, which is shorter than the driver's text form of bytea. */
export type RowSums = { row_key: string; outcome: Outcome; requests: string; last_at: Date; latency: string | null }
/** `bucket` is the number of the bucket, starting at 1. */
export type UsageSums = RowSums & { bucket: number }

/** Sums of one level per bucket, row and outcome. */
export async function sumUsage(db: Db, question: UsageSumQuery): Promise<UsageSums[]> {
  const { level, ranges, edgesMs, withLatency, accountId } = question
  const { rows } = await sql<UsageSums>`
    select
      width_bucket(r.bucket_at, ${edgesMs.map(iso)}::timestamptz[]) as bucket,
      ${rowKey(question)} as row_key,
      r.outcome,
      sum(r.requests)::bigint as requests,
      max(r.last_at) as last_at,
      ${withLatency ? sql`encode(string_agg(r.latency, ''::bytea), 'base64')` : sql`null`} as latency
    from ${rowsInRanges(accountId, level, ranges)}
    where ${fits(question)}
    group by 1, 2, 3`.execute(db)
  return rows
}

function fits({ route, keyId, statuses, outcome }: UsageFilter): RawBuilder<unknown> {
  const parts = [
    sql`true`,
    ...(route === undefined ? [] : [sql`r.route = ${route}`]),
    ...(keyId === undefined ? [] : [sql`r.key_id = ${keyId}`]),
    ...(statuses === undefined ? [] : [sql`r.status between ${statuses.from} and ${statuses.to}`]),
    ...(outcome === undefined ? [] : [sql`r.outcome = ${outcome}`]),
  ]
  return sql`(${sql.join(parts, sql` and `)})`
}

export type Peaks = Record<Policy, string | null>

/** Highest use of each window. */
export async function findPeaks(
  db: Db,
  accountId: string,
  level: Stored,
  ranges: readonly Range[],
): Promise<Partial<Peaks>> {
  const { rows } = await sql<Peaks>`
    select max(r.peak_burst) as burst, max(r.peak_min) as min, max(r.peak_hour) as hour,
      max(r.peak_day) as day, max(r.peak_month) as month, max(r.peak_conc) as conc
    from ${rowsInRanges(accountId, level, ranges)}`.execute(db)
  return rows[0] ?? {}
}

export function findAccountWindows(db: Db, accountId: string) {
  return db
    .selectFrom('usage_account')
    .select(['windows', 'windows_at'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
}

export async function findCompleteUntil(db: Db): Promise<Date | undefined> {
  const row = await db.selectFrom('usage_progress').select('complete_until').executeTakeFirst()
  return row?.complete_until
}

export async function hasUsageOfKey(db: Db, accountId: string, keyId: string): Promise<boolean> {
  const row = await db
    .selectFrom('usage_day')
    .select('key_id')
    .where('account_id', '=', accountId)
    .where('key_id', '=', keyId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

function rowKey({ groupBy, offsetMs }: UsageSumQuery): RawBuilder<unknown> {
  switch (groupBy) {
    case 'endpoint':
      return sql`r.route`
    case 'key':
      return sql`r.key_id`
    case 'status':
      return sql`r.status::text`
    case 'outcome':
      return sql`r.outcome`
    case 'hour':
      return sql`to_char(r.bucket_at at time zone 'UTC' + ${sql.lit(`${offsetMs} ms`)}::interval, 'HH24')`
    case 'network':
      return sql`''`
  }
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString()
}
