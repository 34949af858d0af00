import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Waiting times of shadow limits, and caps proposed for a key, in the request log and its sums. */
export const addShadowWaits: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table usage_shadow add column longest_wait_ms bigint`.execute(db)
    await sql.raw(READ_DETAIL).execute(db)
  },
}

/** As in 0078-create-request-log.ts, with what request-log/encode-detail.ts has added since. */
const READ_DETAIL = `
  create or replace function read_request_detail(detail bytea, verdict text, limits text, proposal text) returns request_detail
  language plpgsql immutable parallel safe as $$
  declare
    policies constant text[] := array['burst', 'min', 'hour', 'day', 'month', 'conc'];
    numbers bigint[] := '{}';
    number bigint := 0;
    byte integer;
    shift integer := 0;
    text_from integer;
    at integer := 6;
    pair text;
    one jsonb;
    windows jsonb := '[]';
    read request_detail;
  begin
    for i in 0..length(detail) - 1 loop
      exit when text_from is not null;
      byte := get_byte(detail, i);
      number := number | ((byte & 127)::bigint << shift);
      shift := shift + 7;
      continue when byte > 127;
      numbers := numbers || number;
      number := 0;
      shift := 0;
      -- The first number is the count of those that follow; text begins behind them.
      if array_length(numbers, 1) = numbers[1] + 1 then text_from := i + 2; end if;
    end loop;
    read.upstream_latency_us := nullif(numbers[2], 0) - 1;
    read.rejected_fields := nullif(convert_from(substring(detail from text_from), 'UTF8'), '')::jsonb;
    for pair in select string_to_table(nullif(limits, ''), ',') loop
      one := jsonb_build_object('policy', split_part(pair, ':', 1), 'limit', split_part(pair, ':', 2)::bigint, 'used', numbers[at]);
      if numbers[at + 1] > 0 then one := one || jsonb_build_object('reset_ms', numbers[at + 1] - 1); end if;
      windows := windows || one;
      at := at + 2;
    end loop;
    read.decision := jsonb_build_object('verdict', verdict, 'degraded', numbers[3] & 1 = 1,
      'denied_by', denied_policies(numbers[5]), 'retry_after_ms', numbers[4], 'windows', windows);
    if proposal is not null then
      read.decision := read.decision || jsonb_build_object('shadow',
        jsonb_build_object('proposal', proposal, 'denied_by', denied_policies(numbers[at])));
      at := at + 1;
      if numbers[3] & 4 = 4 then
        if numbers[at] > 0 then
          read.decision := jsonb_set(read.decision, '{shadow,retry_after_ms}', to_jsonb(numbers[at] - 1));
        end if;
        at := at + 1;
      end if;
    end if;
    if numbers[3] & 8 = 8 then
      one := jsonb_build_object('proposal', (select string_agg(lpad(to_hex(part), 8, '0'), '' order by n)::uuid
          from unnest(numbers[at:at + 3]) with ordinality as parts (part, n)),
        'denied_by', denied_policies(numbers[at + 4]));
      if numbers[at + 5] > 0 then one := one || jsonb_build_object('retry_after_ms', numbers[at + 5] - 1); end if;
      read.decision := read.decision || jsonb_build_object('key_shadow', one);
      at := at + 6;
    end if;
    if numbers[3] & 2 = 2 then
      read.decision := read.decision || jsonb_build_object('key_denied_by', denied_policies(numbers[at]));
      windows := '[]';
      at := at + 1;
      while at < array_length(numbers, 1) loop
        one := jsonb_build_object('policy', policies[numbers[at] + 1], 'limit', numbers[at + 1], 'used', numbers[at + 2]);
        if numbers[at + 3] > 0 then one := one || jsonb_build_object('reset_ms', numbers[at + 3] - 1); end if;
        windows := windows || one;
        at := at + 4;
      end loop;
      read.decision := read.decision || jsonb_build_object('key_windows', windows);
    end if;
    return read;
  end $$`
