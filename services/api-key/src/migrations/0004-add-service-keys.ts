import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const addServiceKeys: Migration = {
  async up(db: Kysely<any>) {
    await sql`
      alter table api_key
        add column kind text not null default 'data' check (kind in ('data', 'service')),
        add check (kind = 'data' or environment = 'live')`.execute(db)
  },
}
