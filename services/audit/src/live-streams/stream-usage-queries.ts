import type { Event } from '@tapeline/contracts/event'
import type { UsageStreamDelivered } from '@tapeline/contracts/usage/events'
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { bigintArray, booleanArray, instantArray, textArray, uuidArray } from '../rollups/binary-array.ts'
import type { Range } from '../rollups/read-plan.ts'
import { type Level, LEVEL_MS } from '../rollups/roll-up.ts'
import type { Tables, UsageStreamSumTable } from '../tables.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>
type SumLevel = UsageStreamSumTable['level']
type StreamEvent = Event<UsageStreamDelivered>
export type StreamSum = {
  account_id: string
  level: SumLevel
  bucketMs: number
  key_id: string
  connections: number
  messages: number
  bytes_in: number
  bytes_out: number
  open_ms: number
}

/** Inserts the rows that do not exist yet and returns their ids. */
export async function insertStreams(trx: Trx, events: readonly StreamEvent[]): Promise<Set<string>> {
  const texts = (value: (event: StreamEvent) => string | null): Buffer => textArray(events.map(value))
  const uuids = (value: (event: StreamEvent) => string): Buffer => uuidArray(events.map(value))
  const flags = (value: (event: StreamEvent) => boolean): Buffer => booleanArray(events.map(value))
  const numbers = (value: (event: StreamEvent) => number): Buffer => bigintArray(events.map(value))
  const { rows } = await sql<{ id: string }>`
    insert into usage_stream (
      id, time, account_id, key_id, kid, tier, transport, connection_id, opened, ended, open_ms, messages, bytes_in, bytes_out,
      gateway_id, network)
    select * from unnest(
      ${uuids(({ id }) => id)}::uuid[],
      ${instantArray(events.map(({ time }) => Date.parse(time)))}::timestamptz[],
      ${uuids(({ data }) => data.account_id)}::uuid[],
      ${texts(({ data }) => data.key_id)}::text[],
      ${texts(({ data }) => data.kid)}::text[],
      ${texts(({ data }) => data.tier)}::text[],
      ${texts(({ data }) => data.transport)}::text[],
      ${texts(({ data }) => data.connection_id)}::text[],
      ${flags(({ data }) => data.opened)}::boolean[],
      ${flags(({ data }) => data.ended)}::boolean[],
      ${numbers(({ data }) => data.open_ms)}::bigint[],
      ${numbers(({ data }) => data.messages)}::bigint[],
      ${numbers(({ data }) => data.bytes_in)}::bigint[],
      ${numbers(({ data }) => data.bytes_out)}::bigint[],
      ${texts(({ data }) => data.gateway_id)}::text[],
      ${texts(({ data }) => data.network)}::text[])
    on conflict do nothing
    returning id`.execute(trx)
  return new Set(rows.map(({ id }) => id))
}

export async function addStreamSums(trx: Trx, sums: readonly StreamSum[]): Promise<void> {
  const texts = (value: (sum: StreamSum) => string): Buffer => textArray(sums.map(value))
  const numbers = (value: (sum: StreamSum) => number): Buffer => bigintArray(sums.map(value))
  await sql`
    insert into usage_stream_sum as s (
      account_id, level, bucket_at, key_id, connections, messages, bytes_in, bytes_out, open_ms)
    select * from unnest(
      ${uuidArray(sums.map((one) => one.account_id))}::uuid[],
      ${texts((one) => one.level)}::text[],
      ${instantArray(sums.map((one) => one.bucketMs))}::timestamptz[],
      ${texts((one) => one.key_id)}::text[],
      ${numbers((one) => one.connections)}::bigint[],
      ${numbers((one) => one.messages)}::bigint[],
      ${numbers((one) => one.bytes_in)}::bigint[],
      ${numbers((one) => one.bytes_out)}::bigint[],
      ${numbers((one) => one.open_ms)}::bigint[])
    on conflict (account_id, level, bucket_at, key_id) do update set
      connections = s.connections + excluded.connections,
      messages = s.messages + excluded.messages,
      bytes_in = s.bytes_in + excluded.bytes_in,
      bytes_out = s.bytes_out + excluded.bytes_out,
      open_ms = s.open_ms + excluded.open_ms`.execute(trx)
}

export type StreamsQuery = {
  accountId: string
  keyId: string | undefined
  level: Level
  ranges: readonly Range[]
  edgesMs: readonly number[]
}
/** `bucket` is the number of the bucket, starting at 1. */
export type StreamBucket = {
  bucket: number
  connections: string
  messages: string
  bytes_in: string
  bytes_out: string
  open_ms: string
}

/** Sums of one level per bucket; minutes are read from the rows. */
export async function sumStreams(db: Db, { level, ranges, edgesMs, ...of }: StreamsQuery): Promise<StreamBucket[]> {
  const { rows } = await sql<StreamBucket>`
    select width_bucket(r.at, ${instantArray(edgesMs)}::timestamptz[]) as bucket,
      sum(r.connections)::bigint as connections, sum(r.messages)::bigint as messages, sum(r.bytes_in)::bigint as bytes_in,
      sum(r.bytes_out)::bigint as bytes_out, sum(r.open_ms)::bigint as open_ms
    from unnest(
      ${instantArray(ranges.map(({ fromMs }) => fromMs))}::timestamptz[],
      ${instantArray(ranges.map(({ toMs }) => toMs))}::timestamptz[]) as range (from_at, to_at)
    cross join lateral (${level === 'minute' ? rowsInRange(of) : sumsInRange(of, level)} offset 0) r
    group by 1`.execute(db)
  return rows
}

type AccountFilter = Pick<StreamsQuery, 'accountId' | 'keyId'>

function rowsInRange({ accountId, keyId }: AccountFilter): RawBuilder<unknown> {
  return sql`
      select time as at, opened::int as connections, messages, bytes_in, bytes_out, open_ms from usage_stream
      where account_id = ${accountId}::uuid and (${keyId ?? null}::text is null or key_id = ${keyId ?? null})
        and time >= range.from_at and time < range.to_at`
}

function sumsInRange({ accountId, keyId }: AccountFilter, level: SumLevel): RawBuilder<unknown> {
  return sql`
      select bucket_at as at, connections, messages, bytes_in, bytes_out, open_ms from usage_stream_sum
      where account_id = ${accountId}::uuid and (${keyId ?? null}::text is null or key_id = ${keyId ?? null})
        and level = ${level} and bucket_at >= range.from_at and bucket_at < range.to_at`
}

export type StreamMismatch = { account_id: string; bucket_at: Date; key_id: string }

/** The first buckets of a level that differ from the sums of their rows, from a day on; of one account, or of all. */
export async function listStreamMismatches(
  db: Db,
  level: SumLevel,
  account: string | null,
  since: Date,
): Promise<StreamMismatch[]> {
  const { rows } = await sql<StreamMismatch>`
    with summed as (
      select account_id, date_bin(${sql.lit(`${LEVEL_MS[level]} ms`)}::interval, time, 'epoch') as bucket_at, key_id,
        count(*) filter (where opened) as connections, sum(messages) as messages, sum(bytes_in) as bytes_in,
        sum(bytes_out) as bytes_out, sum(open_ms) as open_ms
      from usage_stream where (${account}::uuid is null or account_id = ${account}::uuid)
      group by 1, 2, 3
    ), rolled as (
      select * from usage_stream_sum
      where level = ${level} and bucket_at >= ${since.toISOString()}::timestamptz
        and (${account}::uuid is null or account_id = ${account}::uuid)
    )
    select account_id, bucket_at, key_id from summed s full join rolled r using (account_id, bucket_at, key_id)
    where (s.connections, s.messages, s.bytes_in, s.bytes_out, s.open_ms)
      is distinct from (r.connections, r.messages, r.bytes_in, r.bytes_out, r.open_ms)
    order by bucket_at limit 20`.execute(db)
  return rows
}
