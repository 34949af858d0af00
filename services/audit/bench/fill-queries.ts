import { POLICIES } from '@tapeline/contracts/usage/events'
import { usageEvent } from '@tapeline/testing/usage/usage-event'
import { type Kysely, sql } from 'kysely'
import { numbersOf } from '../src/request-log/dictionaries.ts'
import { encodeDetail } from '../src/request-log/encode-detail.ts'
import { dayOf, ensureDays } from '../src/rollups/ensure-days.ts'
import { PARTITIONED_TABLES } from '../src/rollups/partition-queries.ts'
import { type Level, LEVEL_MS, LEVELS, ofAccounts } from '../src/rollups/roll-up.ts'
import { rollUpTable } from '../src/rollups/roll-up-queries.ts'
import { LOG_GAMMA } from '../src/rollups/sketch.ts'
import type { Tables } from '../src/tables.ts'

type Db = Kysely<Tables>

export type AccountToFill = { accountId: string; rows: number; days: number }

/** Rows of one account, evenly over the last days, and their roll-ups. */
export async function fillAccount(db: Db, { accountId, rows, days: count }: AccountToFill): Promise<void> {
  const days = Array.from({ length: count }, (_, n) => dayOf(Date.now() - (n + 1) * LEVEL_MS.day))
  await ensureDays(
    db,
    days.map((day) => Date.parse(day)),
  )
  await prepareForFilling(db, days)
  const keyIds = [crypto.randomUUID(), crypto.randomUUID(), 'session']
  for (const day of days) await fillDay(db, { accountId, day, rows: Math.ceil(rows / count), keyIds })
  await restoreIndexes(db)
  await rollUpRows(db)
}

/** Disables what would slow down the inserts: write-ahead logging and the indexes of the rows. */
async function prepareForFilling(db: Db, days: readonly string[]): Promise<void> {
  await sql`drop index request_log_by_account, request_log_by_request`.execute(db)
  await sql`alter table request_log drop constraint request_log_pkey`.execute(db)
  for (const table of PARTITIONED_TABLES) {
    for (const day of days) {
      await sql`alter table ${sql.table(`${table}_${day.replaceAll('-', '')}`)} set unlogged`.execute(db)
    }
  }
}

type DayToFill = { accountId: string; day: string; rows: number; keyIds: readonly string[] }

const ROUTES = ['/api/v1/trades/list', '/api/v1/l2events/list', '/api/v1/instruments']
/** With their cumulative shares. */
const ANSWERS = [
  { share: 0.95, status: 200, outcome: 'ok', verdict: 'admitted' },
  { share: 0.97, status: 404, outcome: 'client_error', verdict: 'admitted' },
  { share: 0.99, status: 429, outcome: 'denied', verdict: 'denied' },
  { share: 1, status: 502, outcome: 'server_error', verdict: 'admitted' },
] as const

/** Requests of one account, evenly over the day, response times log-normal around 4 ms. */
async function fillDay(db: Db, { accountId, day, rows, keyIds }: DayToFill): Promise<void> {
  const windows = POLICIES.map((policy) => ({ policy, used: 10, limit: 10_000, reset_ms: 5_000 }))
  const requests = ANSWERS.flatMap(({ status, outcome, verdict }) =>
    ROUTES.map((route) => {
      const decision = { verdict, degraded: false, denied_by: [], retry_after_ms: 0, windows }
      return usageEvent({
        account_id: accountId,
        tier: 'pro',
        route,
        status,
        outcome,
        decision,
        gateway_id: 'gw-bench',
      }).data
    }),
  )
  const kinds = await numbersOf(db, requests)
  const keys = await numbersOf(
    db,
    keyIds.map(
      (keyId) => usageEvent({ account_id: accountId, key_id: keyId, kid: 'abcdefghijkl', gateway_id: 'gw-bench' }).data,
    ),
  )
  const [sample = usageEvent().data] = requests
  const [{ account, gateway } = { account: 0, gateway: 0 }] = kinds
  await sql`
    insert into request_log (time, latency_us, bytes_out, id, request_id, account, bytes_in, rows_returned, kind, key, gateway,
      network, detail)
    select ${day}::timestamptz + g.dice_time * interval '1 day',
      ceil(exp(8.3 + 0.8 * sqrt(-2 * ln(1 - dice_a)) * cos(2 * pi() * dice_b)))::bigint, 2000, uuidv7(), md5(dice_a::text)::uuid,
      ${account}::integer, 100, 10,
      (${kinds.map(({ kind }) => kind)}::int[])[1 + ${ROUTES.length}::int * width_bucket(dice,
        ${ANSWERS.slice(0, -1).map(({ share }) => share)}::float8[]) + floor(dice_route * ${ROUTES.length}::int)::int],
      (${keys.map(({ key }) => key)}::int[])[1 + floor(dice_key * ${keys.length}::int)::int], ${gateway}::integer,
      '192.0.2.' || floor(dice_b * 20) || '/24', ${encodeDetail(sample)}::bytea
    from (
      select random() as dice_time, random() as dice, random() as dice_key, random() as dice_route, random() as dice_a,
        random() as dice_b from generate_series(1, ${rows})
    ) g`.execute(db)
}

async function restoreIndexes(db: Db): Promise<void> {
  await sql`alter table request_log add primary key (id, time)`.execute(db)
  await sql`create index request_log_by_account on request_log (account, time)`.execute(db)
}

/** Computes all roll-ups from the rows, as the consumer would have written them. */
async function rollUpRows(db: Db): Promise<void> {
  await sql`
    create function varint(n bigint) returns bytea language sql immutable parallel safe as $$
      select case
        when n < 128 then set_byte('\\x00', 0, n::int)
        when n < 16384 then set_byte(set_byte('\\x0000', 0, ((n & 127) | 128)::int), 1, (n >> 7)::int)
        else set_byte(set_byte(set_byte('\\x000000', 0, ((n & 127) | 128)::int), 1, (((n >> 7) & 127) | 128)::int), 2, (n >> 14)::int)
      end $$`.execute(db)
  await sql`
    create unlogged table pair as
    select date_bin('1 minute', time, 'epoch') as bucket_at, account_id, key_id, route, status, outcome, verdict,
      case when verdict = 'admitted' then ceil(ln(greatest(latency_us, 1)::float8) / ${sql.lit(String(LOG_GAMMA))}::float8)::int end as bucket,
      count(*) as requests, sum(bytes_in) as bytes_in, sum(bytes_out) as bytes_out, sum(rows_returned) as rows_returned,
      max(time) as last_at
    from logged_request group by 1, 2, 3, 4, 5, 6, 7, 8`.execute(db)
  for (const level of LEVELS) await rollUpPairs(db, level)
  await rollUpAccountPairs(db, 'hour', 2)
  await rollUpAccountPairs(db, 'day', 1)
  await sql`
    insert into usage_network
    select account_id, date_bin('15 minutes', time, 'epoch'), network, key_id, route, outcome, count(*), max(time)
    from logged_request group by 1, 2, 3, 4, 5, 6`.execute(db)
  await sql`
    insert into usage_network_day
    select account_id, date_bin('1 day', bucket_at, 'epoch'), network, key_id, route, outcome, sum(requests), max(last_at)
    from usage_network group by 1, 2, 3, 4, 5, 6`.execute(db)
  await sql`vacuum analyze`.execute(db)
}

async function rollUpPairs(db: Db, level: Level): Promise<void> {
  await sql`
    insert into ${rollUpTable(level)}
    select account_id, bucket_at, key_id, route, status, outcome, sum(requests),
      coalesce(sum(requests) filter (where verdict = 'admitted'), 0), coalesce(sum(requests) filter (where verdict = 'denied'), 0), 0,
      sum(bytes_in), sum(bytes_out), sum(rows_returned), 5, 50, 500, 5000, 50000, 3,
      string_agg(case when bucket is null then ''::bytea else varint(bucket) || varint(requests::bigint) end, ''::bytea),
      max(last_at)
    from (
      select date_bin(${sql.lit(`${LEVEL_MS[level]} ms`)}::interval, bucket_at, 'epoch') as bucket_at, account_id, key_id, route,
        status, outcome, verdict, bucket, sum(requests) as requests, sum(bytes_in) as bytes_in, sum(bytes_out) as bytes_out,
        sum(rows_returned) as rows_returned, max(last_at) as last_at
      from pair group by 1, 2, 3, 4, 5, 6, 7, 8
    ) p
    group by 1, 2, 3, 4, 5, 6`.execute(db)
}

/** A sketch as the concatenation of its parts: about as long as the consumer lets one grow. */
async function rollUpAccountPairs(db: Db, level: 'hour' | 'day', parts: number): Promise<void> {
  const [bucket, part] = [LEVEL_MS[level], LEVEL_MS[level] / parts].map((ms) => sql`${sql.lit(`${ms} ms`)}::interval`)
  await sql`
    insert into ${rollUpTable(ofAccounts(level))}
    select r.account_id, r.bucket_at, '', '', 0, r.outcome, sum(requests), sum(admitted), sum(denied), sum(refused), sum(bytes_in),
      sum(bytes_out), sum(rows_returned), max(peak_burst), max(peak_min), max(peak_hour), max(peak_day), max(peak_month),
      max(peak_conc), coalesce(min(s.latency), ''::bytea), max(last_at)
    from ${rollUpTable(level)} r
    left join (
      select account_id, bucket_at, outcome, string_agg(varint(bucket) || varint(requests::bigint), ''::bytea) as latency
      from (
        select account_id, date_bin(${bucket}, bucket_at, 'epoch') as bucket_at, date_bin(${part}, bucket_at, 'epoch') as part,
          outcome, bucket, sum(requests) as requests
        from pair where bucket is not null group by 1, 2, 3, 4, 5
      ) parts
      group by 1, 2, 3
    ) s on s.account_id = r.account_id and s.bucket_at = r.bucket_at and s.outcome = r.outcome
    group by r.account_id, r.bucket_at, r.outcome`.execute(db)
}
