import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const addImportedSecrets: Migration = {
  async up(db: Kysely<any>) {
    await sql`alter table api_key_secret add column imported_prefix text`.execute(db)
  },
}
