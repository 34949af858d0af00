import { type Kysely, sql } from 'kysely'
import type { Range } from './read-plan.ts'
import type { Tables } from './tables.ts'

type Db = Kysely<Tables>

export type Checks = { final_until: Date | null; drift: string; unverified: string; adjusted: string }
const NOT_COMPARED: Checks = { final_until: null, drift: '0', unverified: '0', adjusted: '0' }

/** An account's minutes in which rows and the limiter's cells differ. */
export async function findChecks(db: Db, accountId: string, { fromMs, toMs }: Range): Promise<Checks> {
  const inPeriod = sql`minute_at >= ${iso(fromMs)}::timestamptz and minute_at < ${iso(toMs)}::timestamptz`
  const { rows } = await sql<Checks>`
    select
      (select least(min(p.checked_until), min(c.minute_at) filter (where c.state = 'pending'))
        from usage_progress p where p.topic = 'usage') as final_until,
      coalesce(sum(c.cells - c.rows) filter (where c.state = 'drift'), 0)::bigint as drift,
      count(*) filter (where c.state = 'unverified' and ${inPeriod}) as unverified,
      coalesce(sum(c.cells - c.rows) filter (where c.state = 'closed' and ${inPeriod}), 0)::bigint as adjusted
    from usage_check c where c.account_id = ${accountId}::uuid`.execute(db)
  return rows[0] ?? NOT_COMPARED
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString()
}
