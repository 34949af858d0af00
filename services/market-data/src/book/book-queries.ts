import type pg from 'pg'
import type { BookGap, BookStart } from './order-book.ts'
import { levelsOf } from './book-event.ts'

/** A book after one of its events, stored so that a replay is short. */
export type Checkpoint = BookStart & {
  /** The greatest time of an event in it; the same as `place.tsEvent` unless events came out of order. */
  throughTs: string
  /** Events that belong after the checkpoint have this time or a later one. */
  resumeTs: string
}

/** The latest checkpoint of a book whose events all happened up to a moment. */
export async function findCheckpoint(pool: pg.Pool, instrumentId: number, at: bigint): Promise<Checkpoint | undefined> {
  const { rows } = await pool.query<CheckpointRow>({
    text: `
      select through_ts, sequence, resume_ts, book_epoch, ts_event, ts_recv, depth_limit, bids, asks
      from book_checkpoint where instrument_id = $1 and through_ts <= $2::bigint
      order by through_ts desc, sequence desc limit 1`,
    values: [instrumentId, at],
  })
  const [row] = rows
  return row && checkpointOf(row)
}

type CheckpointRow = {
  through_ts: string
  sequence: string
  resume_ts: string
  book_epoch: number
  ts_event: string
  ts_recv: string
  depth_limit: number | null
  bids: string
  asks: string
}

function checkpointOf(row: CheckpointRow): Checkpoint {
  return {
    throughTs: row.through_ts,
    resumeTs: row.resume_ts,
    depthLimit: row.depth_limit,
    place: {
      tsEvent: row.ts_event,
      tsRecv: row.ts_recv,
      sequence: BigInt(row.sequence),
      bookEpoch: row.book_epoch,
    },
    levels: { bids: levelsOf(row.bids), asks: levelsOf(row.asks) },
  }
}

export async function insertCheckpoint(
  client: pg.ClientBase,
  instrumentId: number,
  checkpoint: Checkpoint,
): Promise<void> {
  const { place, levels } = checkpoint
  await client.query({
    text: `
      insert into book_checkpoint (instrument_id, through_ts, sequence, resume_ts, book_epoch, ts_event, ts_recv,
                                   depth_limit, bids, asks)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing`,
    values: [
      instrumentId,
      checkpoint.throughTs,
      place.sequence,
      checkpoint.resumeTs,
      place.bookEpoch,
      place.tsEvent,
      place.tsRecv,
      checkpoint.depthLimit,
      JSON.stringify(levels.bids),
      JSON.stringify(levels.asks),
    ],
  })
}

/** The first gap after a moment. */
export async function findNextGap(pool: pg.Pool, instrumentId: number, at: bigint): Promise<BookGap | undefined> {
  const { rows } = await pool.query<{ ts_event: string; gap_from_ts: string | null; gap_reason: string | null }>({
    text: `
      (select ts_event, gap_from_ts, gap_reason from l2_event
       where instrument_id = $1 and type = 'g' and ts_event > $2::bigint order by ts_event limit 1)
      union all
      (select ts_event, gap_from_ts, gap_reason from sealed_gap
       where instrument_id = $1 and not is_end and ts_event > $2::bigint order by ts_event limit 1)
      order by ts_event limit 1`,
    values: [instrumentId, at],
  })
  const [row] = rows
  return row && { reason: row.gap_reason ?? 'unknown', fromTs: row.gap_from_ts, toTs: row.ts_event }
}

/** Starts at `0` if the book has no position yet, because none of its events were examined. */
export async function findPosition(pool: pg.Pool, instrumentId: number): Promise<string> {
  const { rows } = await pool.query<{ ts_event: string }>({
    text: `
      insert into book_position (instrument_id, ts_event) values ($1, 0)
      on conflict (instrument_id) do update set ts_event = book_position.ts_event returning ts_event`,
    values: [instrumentId],
  })
  return rows[0]?.ts_event ?? '0'
}

/** Whether the position is still `from`; the row is locked until the transaction ends. */
export async function lockPosition(client: pg.ClientBase, instrumentId: number, from: string): Promise<boolean> {
  const { rowCount } = await client.query({
    text: 'select from book_position where instrument_id = $1 and ts_event = $2::bigint for update',
    values: [instrumentId, from],
  })
  return rowCount === 1
}

export async function movePosition(client: pg.ClientBase, instrumentId: number, to: string): Promise<void> {
  await client.query({
    text: 'update book_position set ts_event = $2 where instrument_id = $1',
    values: [instrumentId, to],
  })
}

/**
 * Events of this time and later were stored, the last of them in `bookEpoch`: checkpoints from there on are examined
 * again. Those of the same epoch stay valid, because what is newer comes after them in sequence.
 */
export async function reopenBook(
  client: pg.ClientBase,
  { instrumentId, first, bookEpoch }: { instrumentId: number; first: string; bookEpoch: number },
): Promise<void> {
  const { rowCount } = await client.query({
    text: 'update book_position set ts_event = $2::bigint where instrument_id = $1 and ts_event > $2::bigint',
    values: [instrumentId, first],
  })
  if (rowCount === 0) return
  await client.query({
    text: `delete from book_checkpoint where instrument_id = $1 and through_ts >= $2::bigint and book_epoch < $3`,
    values: [instrumentId, first, bookEpoch],
  })
  await client.query({
    text: `
      update book_checkpoint set resume_ts = $2::bigint
      where instrument_id = $1 and through_ts >= $2::bigint and resume_ts > $2::bigint`,
    values: [instrumentId, first],
  })
}

/** Events before `retainedFrom` (ns) are dropped: a book cannot be rebuilt from a checkpoint before it. */
export async function deleteCheckpoints(
  client: pg.ClientBase,
  instrumentIds: number[],
  retainedFrom: bigint,
): Promise<void> {
  await client.query({
    text: 'delete from book_checkpoint where instrument_id = any($1::int[]) and through_ts < $2::bigint',
    values: [instrumentIds, retainedFrom],
  })
}
