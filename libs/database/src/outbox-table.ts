import type { ColumnType, Generated, Kysely } from 'kysely'
import { sql } from 'kysely'

type Json = ColumnType<unknown, string, never>
type Instant = ColumnType<Date, Date, never>

/** Events saved with their change but not sent yet, ordered by `position`. */
export type OutboxTable = {
  position: Generated<string>
  topic: string
  subject: string
  envelope: Json
  created_at: Instant
  /** Set when the event is in Kafka but its version is not in Redis yet. */
  sent_at: ColumnType<Date | null, Date | undefined, Date>
  /** Version to write to Redis, independent of Kafka; cleared when written. */
  version_account: string | null
  version_field: string | null
  version: string | null
}
export type OutboxTables = { outbox: OutboxTable }

/** Creates the outbox; called by the first migration of every publishing service. */
export async function createOutboxTable(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table outbox (
      position bigint generated always as identity primary key,
      topic text not null,
      subject text not null,
      envelope jsonb not null,
      created_at timestamptz not null,
      sent_at timestamptz,
      version_account text,
      version_field text,
      version bigint
    )`.execute(db)
}
