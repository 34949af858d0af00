import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Links that let a new browser skip the delay that others' wrong passwords cause. */
export const addDeviceLinks: Migration = {
  async up(db: Kysely<any>) {
    await sql`
      alter table email_link
        drop constraint email_link_purpose_check,
        add constraint email_link_purpose_check check (purpose in ('verify', 'change', 'device'))`.execute(db)
  },
}
