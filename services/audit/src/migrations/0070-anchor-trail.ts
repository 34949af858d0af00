import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const anchorTrail: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // Null in entries of earlier releases until anchor-trail hashes their chains again.
    await sql`alter table audit_trail add column personal_hash bytea, add column salt bytea`.execute(db)
    await sql`create index audit_trail_unsalted on audit_trail (scope) where personal_hash is null`.execute(db)
    await sql`create unique index audit_trail_by_position on audit_trail (position)`.execute(db)
    // A copy of what the object store has, so that an anchor missing there is noticed.
    await sql`
      create table trail_anchor (
        number integer primary key,
        from_position bigint not null,
        through_position bigint not null,
        entries integer not null,
        sha256 text not null,
        key_id text not null,
        made_at timestamptz not null
      )`.execute(db)
    // The last position that the receiver of the trail's stream accepted.
    await sql`
      create table trail_stream (
        id integer primary key check (id = 1),
        position bigint not null,
        sent_at timestamptz
      )`.execute(db)
    await sql`insert into trail_stream (id, position) values (1, 0)`.execute(db)
    await sql`
      create table trail_check (
        id integer primary key check (id = 1),
        started_at timestamptz not null,
        finished_at timestamptz,
        verdict jsonb
      )`.execute(db)
  },
}
