import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * The request log in about a quarter of the space of `usage_event`, which stays readable until its days are past their
 * retention. What many requests have in common is stored once; the rest of the decision is one value
 * (request-log/encode-detail.ts). Columns are ordered by alignment, and none is null, so that a row has no padding.
 */
export const createRequestLog: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await createDictionaries(db)
    await sql`
      create table request_log (
        time timestamptz not null,
        latency_us bigint not null,
        bytes_out bigint not null,
        id uuid not null,
        request_id uuid not null,
        account integer not null,
        bytes_in integer not null,
        rows_returned integer not null,
        kind integer not null,
        key integer not null,
        gateway integer not null,
        network text not null,
        detail bytea not null,
        primary key (id, time)
      ) partition by range (time)`.execute(db)
    await sql`create index request_log_by_account on request_log (account, time)`.execute(db)
    // Half the size of a hash index.
    await sql`create index request_log_by_request on request_log (uuid_hash(request_id))`.execute(db)
    await sql`create index request_log_brin on request_log using brin (time) with (pages_per_range = 32)`.execute(db)
    await createReader(db)
    await createViews(db)
  },
}

async function createDictionaries(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table request_kind (
      no integer generated always as identity primary key,
      tier text not null,
      method text not null,
      route text not null,
      status smallint not null,
      outcome text not null,
      code text,
      verdict text not null,
      limits text not null,
      proposal text,
      unique nulls not distinct (route, method, status, tier, outcome, code, verdict, limits, proposal)
    )`.execute(db)
  await sql`
    create table request_account (
      no integer generated always as identity primary key,
      account_id uuid not null unique
    )`.execute(db)
  await sql`
    create table request_key (
      no integer generated always as identity primary key,
      key_id text not null,
      kid text,
      unique nulls not distinct (key_id, kid)
    )`.execute(db)
  await sql`
    create table request_gateway (
      no integer generated always as identity primary key,
      gateway_id text not null unique
    )`.execute(db)
}

/** The counterpart of request-log/encode-detail.ts in SQL, for people who look into the tables and for tests. */
async function createReader(db: Kysely<unknown>): Promise<void> {
  await sql`
    create type request_detail as (upstream_latency_us bigint, rejected_fields jsonb, decision jsonb)`.execute(db)
  await sql`
    create function denied_policies(mask bigint) returns jsonb language sql immutable parallel safe as $$
      select coalesce(jsonb_agg(policy order by n), '[]') from unnest(array['burst', 'min', 'hour', 'day', 'month', 'conc'])
        with ordinality as p (policy, n) where mask & (1::bigint << (n - 1)::int) <> 0
    $$`.execute(db)
  await sql.raw(READ_DETAIL).execute(db)
}

/** `logged_request` has the columns of usage_event; a column that a query does not use costs nothing, nor does its join. */
async function createViews(db: Kysely<unknown>): Promise<void> {
  await sql`
    create view request_log_row as
    select r.id, r.time, a.account_id, k.key_id, k.kid, c.tier, c.method, c.route, c.status, c.outcome, c.code, c.verdict,
      (read_request_detail(r.detail, c.verdict, c.limits, c.proposal)).decision as decision,
      r.latency_us,
      (read_request_detail(r.detail, c.verdict, c.limits, c.proposal)).upstream_latency_us as upstream_latency_us,
      r.bytes_in::bigint as bytes_in, r.bytes_out, nullif(r.rows_returned, -1)::bigint as rows_returned, g.gateway_id,
      replace(r.request_id::text, '-', '') as request_id, r.network,
      (read_request_detail(r.detail, c.verdict, c.limits, c.proposal)).rejected_fields as rejected_fields,
      r.request_id as request_uuid, r.account, r.detail, c.limits, c.proposal
    from request_log r
    left join request_account a on a.no = r.account
    left join request_kind c on c.no = r.kind
    left join request_key k on k.no = r.key
    left join request_gateway g on g.no = r.gateway`.execute(db)
  await sql`
    create view logged_request as
    select id, time, account_id, key_id, kid, tier, method, route, status, outcome, code, verdict, decision, latency_us,
      upstream_latency_us, bytes_in, bytes_out, rows_returned, gateway_id, request_id, network, rejected_fields
    from request_log_row
    union all
    select id, time, account_id, key_id, kid, tier, method, route, status, outcome, code, verdict, decision, latency_us,
      upstream_latency_us, bytes_in, bytes_out, rows_returned, gateway_id, request_id, network, rejected_fields
    from usage_event`.execute(db)
}

const READ_DETAIL = `
  create function read_request_detail(detail bytea, verdict text, limits text, proposal text) returns request_detail
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
