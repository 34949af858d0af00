import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Links that exempt a new browser from the delay after wrong passwords from other devices. */
export const addDeviceLinks: Migration = {
  async up(db: Kysely<any>) {
    await sql`
      alter table email_link
        drop constraint email_link_purpose_check,
        add constraint email_link_purpose_check check (purpose in ('verify', 'change', 'device'))`.execute(db)
  },
}
