import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const createUsageNetworkDay: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table usage_network_day (like usage_network including all) partition by range (bucket_at)`.execute(db)
    await sql`
      do $$
      declare partition text; day text;
      begin
        for partition in select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
            where i.inhparent = 'usage_network'::regclass loop
          day := right(partition, 8);
          execute format('create table %I partition of usage_network_day for values from (%L) to (%L)',
            'usage_network_day_' || day, to_date(day, 'YYYYMMDD') || 'T00:00:00Z',
            to_date(day, 'YYYYMMDD') + 1 || 'T00:00:00Z');
        end loop;
      end $$`.execute(db)
    await sql`
      insert into usage_network_day
      select account_id, date_bin('1 day', bucket_at, 'epoch'), network, key_id, route, outcome, sum(requests), max(last_at)
      from usage_network group by 1, 2, 3, 4, 5, 6`.execute(db)
  },
}
