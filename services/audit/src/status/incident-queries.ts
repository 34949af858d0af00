import { type Selectable, sql, type Transaction } from 'kysely'
import type { StatusIncidentTable } from '../account-tables.ts'
import type { Tables } from '../tables.ts'
import type { Probe } from './status-queries.ts'

type Trx = Transaction<Tables>
export type IncidentRow = Selectable<StatusIncidentTable>
/** Consecutive probes of a component with the same result; `since` is the time of the first one. */
export type Streak = { component: string; failed: boolean; length: number; since: Date }

/** Returns undefined for a probe that is not newer than the latest one: it was counted before. */
export async function continueStreak(trx: Trx, { component, at, hasFailed }: Probe): Promise<Streak | undefined> {
  const { rows } = await sql<Streak>`
    insert into status_streak as s (component, failed, length, since, last_at)
    values (${component}, ${hasFailed}, 1, ${at.toISOString()}::timestamptz, ${at.toISOString()}::timestamptz)
    on conflict (component) do update set
      failed = excluded.failed,
      length = case when s.failed = excluded.failed then s.length + 1 else 1 end,
      since = case when s.failed = excluded.failed then s.since else excluded.since end,
      last_at = excluded.last_at
    where excluded.last_at > s.last_at
    returning component, failed, length, since`.execute(trx)
  return rows[0]
}

/** Returns false when the component has an open incident. */
export async function insertIncident(
  trx: Trx,
  { id, component, openedAt }: { id: string; component: string; openedAt: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await trx
    .insertInto('status_incident')
    .values({ id, component, opened_at: openedAt.toISOString(), resolved_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** Returns undefined when the component has no open incident. */
export function markIncidentResolved(trx: Trx, component: string, at: Date): Promise<IncidentRow | undefined> {
  return trx
    .updateTable('status_incident')
    .set({ resolved_at: at.toISOString() })
    .where('component', '=', component)
    .where('resolved_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}
