import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Devices of sign-ins, which outlive their sessions: sign-ins are compared with them. */
export const rememberDevices: Migration = {
  async up(db: Kysely<any>) {
    await sql`
      create table known_device (
        user_id uuid not null references user_account (id) on delete cascade,
        device text not null,
        network text not null,
        last_used_at timestamptz not null,
        primary key (user_id, device, network)
      )`.execute(db)
    await sql`create index known_device_last_used_at on known_device (last_used_at)`.execute(db)
  },
}
