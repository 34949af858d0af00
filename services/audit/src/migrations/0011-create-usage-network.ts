import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const createUsageNetwork: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table usage_network (
        account_id uuid not null,
        bucket_at timestamptz not null,
        network text not null,
        key_id text not null,
        route text not null,
        outcome text not null,
        requests bigint not null,
        last_at timestamptz not null,
        primary key (account_id, bucket_at, network, key_id, route, outcome)
      ) partition by range (bucket_at)`.execute(db)
    await sql`
      do $$
      declare partition text; day text;
      begin
        for partition in select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
            where i.inhparent = 'usage_event'::regclass loop
          day := right(partition, 8);
          execute format('create table %I partition of usage_network for values from (%L) to (%L)',
            'usage_network_' || day, to_date(day, 'YYYYMMDD') || 'T00:00:00Z',
            to_date(day, 'YYYYMMDD') + 1 || 'T00:00:00Z');
        end loop;
      end $$`.execute(db)
    await sql`
      insert into usage_network
      select account_id, date_bin('15 minutes', time, 'epoch'), network, key_id, route, outcome, count(*), max(time)
      from usage_event group by 1, 2, 3, 4, 5, 6`.execute(db)
  },
}
