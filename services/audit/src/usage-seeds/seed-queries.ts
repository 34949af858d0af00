import { type Kysely, sql } from 'kysely'
import type { Range } from '../rollups/read-plan.ts'
import type { Stored } from '../rollups/roll-up.ts'
import { rowsInRanges } from '../rollups/roll-up-queries.ts'
import type { Tables } from '../tables.ts'

type Db = Kysely<Tables>
export type Seeded = { accountId: string; keyId?: string | undefined }

/** All requests of the account, or those of one key. */
export function listAdmittedMinutes(db: Db, { accountId, keyId }: Seeded, from: Date) {
  return db
    .selectFrom('usage_minute')
    .select(['bucket_at', (eb) => eb.fn.sum<string>('admitted').as('admitted')])
    .where('account_id', '=', accountId)
    .$if(keyId !== undefined, (query) => query.where('key_id', '=', keyId ?? ''))
    .where('bucket_at', '>=', sql<Date>`${from.toISOString()}::timestamptz`)
    .groupBy('bucket_at')
    .having((eb) => eb.fn.sum('admitted'), '>', 0)
    .orderBy('bucket_at')
    .execute()
}

export async function sumAdmitted(
  db: Db,
  { accountId, keyId }: Seeded,
  level: Stored,
  ranges: readonly Range[],
): Promise<number> {
  const { rows } = await sql<{ admitted: string }>`
    select coalesce(sum(r.admitted), 0)::bigint as admitted
    from ${rowsInRanges(accountId, level, ranges)}
    where ${keyId ?? null}::text is null or r.key_id = ${keyId ?? null}::text`.execute(db)
  return Number(rows[0]?.admitted ?? 0)
}
