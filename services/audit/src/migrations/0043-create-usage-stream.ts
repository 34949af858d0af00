import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const createUsageStream: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table usage_stream (
        id uuid not null,
        time timestamptz not null,
        account_id uuid not null,
        key_id text not null,
        kid text,
        tier text not null,
        transport text not null,
        connection_id text not null,
        opened boolean not null,
        ended boolean not null,
        open_ms bigint not null,
        messages bigint not null,
        bytes_in bigint not null,
        bytes_out bigint not null,
        gateway_id text not null,
        network text not null,
        primary key (id, time)
      ) partition by range (time)`.execute(db)
    await sql`create index usage_stream_by_account on usage_stream (account_id, time)`.execute(db)
    await sql`
      create table usage_stream_sum (
        account_id uuid not null,
        level text not null,
        bucket_at timestamptz not null,
        key_id text not null,
        connections bigint not null,
        messages bigint not null,
        bytes_in bigint not null,
        bytes_out bigint not null,
        open_ms bigint not null,
        primary key (account_id, level, bucket_at, key_id)
      )`.execute(db)
  },
}
