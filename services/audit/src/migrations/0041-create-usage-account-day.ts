import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const createUsageAccountDay: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table usage_account_day (like usage_day including all)`.execute(db)
    await sql`
      insert into usage_account_day
      select account_id, bucket_at, '', '', 0, outcome, sum(requests), sum(admitted), sum(denied), sum(refused), sum(bytes_in),
        sum(bytes_out), sum(rows_returned), max(peak_burst), max(peak_min), max(peak_hour), max(peak_day), max(peak_month),
        max(peak_conc), string_agg(latency, ''::bytea), max(last_at)
      from usage_day group by account_id, bucket_at, outcome`.execute(db)
  },
}
