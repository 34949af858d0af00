import type { ColumnType, Generated, Kysely } from 'kysely'
import { sql } from 'kysely'

type Json = ColumnType<unknown, string, never>
type Instant = ColumnType<Date, Date, never>

/** Events that were saved with their change and are not sent yet, in the order of `position`. */
export type OutboxTable = {
  position: Generated<string>
  topic: string
  subject: string
  envelope: Json
  created_at: Instant
  /** Set when Kafka has it but Redis has not heard of the version yet. */
  sent_at: ColumnType<Date | null, Date | undefined, Date>
  /** Version that the limiter must hear of, whatever Kafka does; cleared when Redis has it. */
  version_account: string | null
  version_field: string | null
  version: string | null
}
export type OutboxTables = { outbox: OutboxTable }

/** For the first migration of every service that announces events. */
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
