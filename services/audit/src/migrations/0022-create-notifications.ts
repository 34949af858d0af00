import { createOutboxTable } from '@tapeline/database/outbox-table'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const createNotifications: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await createOutboxTable(db)
    await sql`
      create table notification (
        id uuid primary key,
        account_id uuid not null,
        kind text not null,
        scope text not null,
        level smallint not null,
        title text not null,
        text text not null,
        data jsonb not null,
        created_at timestamptz not null,
        read_at timestamptz,
        unique (account_id, scope, level)
      )`.execute(db)
    await sql`create index notification_by_account on notification (account_id, created_at, id)`.execute(db)
    await sql`create index notification_unread on notification (account_id) where read_at is null`.execute(db)
    await sql`
      create table stream_event (
        position bigint generated always as identity primary key,
        scope text not null,
        name text not null,
        data jsonb not null,
        created_at timestamptz not null
      )`.execute(db)
    await sql`create index stream_event_by_scope on stream_event (scope, position)`.execute(db)
  },
}
