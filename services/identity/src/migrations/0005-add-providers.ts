import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const addProviders: Migration = {
  async up(db: Kysely<any>) {
    // An account created through a provider has no password until one is set.
    await sql`alter table user_account alter column password_hash drop not null`.execute(db)
    await sql`
      create table provider_identity (
        issuer text not null,
        subject text not null,
        user_id uuid not null constraint provider_identity_user_key unique references user_account on delete cascade,
        sealed_token bytea not null,
        linked_at timestamptz not null,
        primary key (issuer, subject)
      )`.execute(db)
    await sql`
      create table provider_flow (
        state_hash bytea primary key,
        sealed_checks bytea not null,
        user_id uuid references user_account on delete cascade,
        session_id uuid,
        expires_at timestamptz not null
      )`.execute(db)
    await sql`create index provider_flow_expiry on provider_flow (expires_at)`.execute(db)
    await sql`
      create table link_request (
        state_hash bytea primary key,
        sealed_claim bytea not null,
        tries_left smallint not null,
        expires_at timestamptz not null
      )`.execute(db)
    await sql`create index link_request_expiry on link_request (expires_at)`.execute(db)
  },
}
