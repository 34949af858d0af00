import type pg from 'pg'
import { insertMinuteBarsSql } from '../bars/minute-queries.ts'
import { CLOCK_NS } from '../records/as-of-queries.ts'
import type { ChannelName } from '../tables.ts'

const LOCK_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 30_000

/** A writer may wait longer for another writer than a reader may wait for anything. */
export async function limitWaits(client: pg.ClientBase): Promise<void> {
  await client.query(
    `set local lock_timeout = ${LOCK_TIMEOUT_MS}; set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`,
  )
}

export type ChannelState = { lastSequence: string; bookEpoch: number }

/** The transaction that locks this row is the only one that assigns sequences in the channel. */
export async function lockChannel(
  client: pg.ClientBase,
  instrumentId: number,
  channel: ChannelName,
): Promise<ChannelState | undefined> {
  const { rows } = await client.query<{ last_sequence: string; book_epoch: number }>({
    text: 'select last_sequence, book_epoch from channel where instrument_id = $1 and name = $2 for update',
    values: [instrumentId, channel],
  })
  const [row] = rows
  return row && { lastSequence: row.last_sequence, bookEpoch: row.book_epoch }
}

/** The staged rows of one instrument; the time range lets the planner look into the right days only. */
export type StagedRange = { instrumentId: number; first: string; last: string; before: ChannelState }
export type Inserted = { numbered: number; inserted: number; epochs: number }

export async function insertStagedTrades(client: pg.ClientBase, range: StagedRange): Promise<Inserted> {
  const { instrumentId, first, last, before } = range
  const { rows } = await client.query<{ numbered: number; inserted: number }>({
    text: `
      with ${freshRows('trade')},
      numbered as (select *, $4::bigint + row_number() over (order by position) as sequence from fresh),
      inserted as (
        insert into trade (ts_event, ts_recv, sequence, instrument_id, flags, side, side_source, has_trade_id,
                           price, size, source_id, conditions)
        select ts_event, ts_recv, sequence, instrument_id, flags, side, side_source, has_trade_id,
               price, size, source_id, conditions
        from numbered on conflict do nothing returning ts_event, sequence, price, size),
      kept as (${insertMinuteBarsSql('inserted')})
      select (select count(*) from numbered)::int as numbered, (select count(*) from inserted)::int as inserted`,
    values: [instrumentId, first, last, before.lastSequence],
  })
  return { numbered: rows[0]?.numbered ?? 0, inserted: rows[0]?.inserted ?? 0, epochs: 0 }
}

export async function insertStagedL2Events(client: pg.ClientBase, range: StagedRange): Promise<Inserted> {
  const { instrumentId, first, last, before } = range
  const { rows } = await client.query<Inserted>({
    text: `
      with ${freshRows('l2_event')},
      numbered as (
        select *, $4::bigint + row_number() over (order by position) as sequence,
               count(*) filter (where type <> 'u') over (order by position) as epochs
        from fresh),
      inserted as (
        insert into l2_event (ts_event, ts_recv, sequence, instrument_id, book_epoch, depth_limit, flags, type, bids,
                              asks, source_id, venue_first_id, venue_last_id, venue_prev_id, gap_reason, gap_from_ts)
        select ts_event, ts_recv, sequence, instrument_id, $5::int + epochs, depth_limit, flags, type, bids,
               asks, source_id, venue_first_id, venue_last_id, venue_prev_id, gap_reason, gap_from_ts
        from numbered on conflict do nothing returning 1)
      select (select count(*) from numbered)::int as numbered, (select count(*) from inserted)::int as inserted,
             (select coalesce(max(epochs), 0) from numbered)::int as epochs`,
    values: [instrumentId, first, last, before.lastSequence, before.bookEpoch],
  })
  return rows[0] ?? { numbered: 0, inserted: 0, epochs: 0 }
}

/** Staged rows of $1 that are not stored yet, each source id once: the first one is kept. */
function freshRows(channel: ChannelName): string {
  return `
    fresh as (
      select s.* from (
        select distinct on (ts_event, source_id) * from staged_${channel}
        where instrument_id = $1 order by ts_event, source_id, position) s
      where not exists (
        select from ${channel} r
        where r.instrument_id = $1 and r.ts_event between $2::bigint and $3::bigint
          and r.ts_event = s.ts_event and r.source_id = s.source_id))`
}

export type StoredRange = {
  instrumentId: number
  channel: ChannelName
  first: string | undefined
  last: string | undefined
  rows: number
  epochs: number
  through: string | undefined
}

/** Also marks when the new sequences were given; the channel is locked, so marks rise with sequences. */
export async function markStored(client: pg.ClientBase, range: StoredRange): Promise<void> {
  const { instrumentId, channel, first, last, rows, epochs, through } = range
  await client.query({
    text: `
      with stored as (
      update channel set last_sequence = last_sequence + $3::bigint,
          stored_rows = stored_rows + $3::bigint,
        book_epoch = book_epoch + $4, first_ts_event = least(first_ts_event, $5),
        last_ts_event = greatest(last_ts_event, $6), complete_through = greatest(complete_through, $7)
      where instrument_id = $1 and name = $2 returning last_sequence)
      insert into ingest_mark (instrument_id, channel, stored_at, sequence)
      select $1, $2, greatest(${CLOCK_NS}, previous.stored_at + 1000), last_sequence
      from stored left join lateral (
        select stored_at from ingest_mark where instrument_id = $1 and channel = $2 order by stored_at desc limit 1
      ) as previous on true
      where $3::bigint > 0`,
    values: [instrumentId, channel, rows, epochs, first, last, through],
  })
}

export type RowsAfter = { instrumentId: number; channel: ChannelName; start: bigint; end: bigint; after: string }

/** Whether rows of [start, end) in a file have a sequence after this one; as hasRowsAfter. */
export async function hasSealedRowsAfter(client: pg.ClientBase, range: RowsAfter): Promise<boolean> {
  const { instrumentId, channel, start, end, after } = range
  const { rowCount } = await client.query({
    text: `
      select from sealed_file where instrument_id = $1 and channel = $2 and superseded_at is null
        and sequence_max > $3::bigint and ts_max >= $4::bigint and ts_min < $5::bigint limit 1`,
    values: [instrumentId, channel, after, start, end],
  })
  return rowCount === 1
}

/** Whether rows of [start, end) have got a sequence after this one; meaningful while the channel is locked. */
export async function hasRowsAfter(client: pg.ClientBase, range: RowsAfter): Promise<boolean> {
  const { instrumentId, channel, start, end, after } = range
  const { rows } = await client.query<{ found: boolean }>({
    text: `
      select exists (
        select from ${channel} where instrument_id = $1 and ts_event >= $2::bigint and ts_event < $3::bigint
          and sequence > $4::bigint)
      or exists (
        select from sealed_file where instrument_id = $1 and channel = $5 and superseded_at is null
          and sequence_max > $4::bigint and ts_max >= $2::bigint and ts_min < $3::bigint) as found`,
    values: [instrumentId, start, end, after, channel],
  })
  return rows[0]?.found === true
}
