import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'

type Db = Kysely<Tables>
export type DayUsage = { bucket_at: Date; admitted: string; denied: string; peak_month: string }

/** Sums of the account's UTC days, over all keys; a day without requests has no row. */
export function listDays(db: Db, accountId: string, from: Date): Promise<DayUsage[]> {
  return db
    .selectFrom('usage_account_day')
    .select(['bucket_at', 'admitted', 'denied', 'peak_month'])
    .where('account_id', '=', accountId)
    .where('bucket_at', '>=', sql<Date>`${from.toISOString()}::timestamptz`)
    .orderBy('bucket_at')
    .execute()
}

/** The account's first day with requests. */
export async function findFirstDay(db: Db, accountId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('usage_account_day')
    .select('bucket_at')
    .where('account_id', '=', accountId)
    .orderBy('bucket_at')
    .limit(1)
    .executeTakeFirst()
  return row?.bucket_at
}
