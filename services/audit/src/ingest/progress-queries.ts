import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'

/** Never decreases, because several consumers report. */
export async function raiseCompleteUntil(db: Kysely<Tables>, topic: string, at: Date): Promise<void> {
  await sql`
    insert into usage_progress as p (topic, complete_until) values (${topic}, ${at.toISOString()}::timestamptz)
    on conflict (topic) do update set complete_until = greatest(p.complete_until, excluded.complete_until)`.execute(db)
}
