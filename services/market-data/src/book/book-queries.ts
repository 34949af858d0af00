import type pg from 'pg'
import type { BookGap, BookStart } from './order-book.ts'
import { levelsOf } from './book-event.ts'

/** A book after one of its events, stored so that a replay is short. */
export type Checkpoint = BookStart & {
  /** The greatest time of an event in it; the same as `place.tsEvent` unless events came out of order. */
  throughTs: string
  /** Events that belong after the checkpoint have this time or a later one. */
  resumeTs: string
  /** The sequences of those that happened up to `throughTs`; undefined in checkpoints of version 0.2.1 and earlier. */
  awaited: ReadonlySet<bigint> | undefined
}

/** The latest checkpoint of a book whose events all happened up to a moment. */
export async function findCheckpoint(pool: pg.Pool, instrumentId: number, at: bigint): Promise<Checkpoint | undefined> {
  const { rows } = await pool.query<CheckpointRow>({
    text: `
      select through_ts, sequence, resume_ts, book_epoch, opening_sequence, opening_ts, ts_event, ts_recv, depth_limit,
             bids, asks, awaited
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
  opening_sequence: string | null
  opening_ts: string | null
  ts_event: string
  ts_recv: string
  depth_limit: number | null
  bids: string
  asks: string
  awaited: string[] | null
}

function checkpointOf(row: CheckpointRow): Checkpoint {
  return {
    throughTs: row.through_ts,
    resumeTs: row.resume_ts,
    awaited: row.awaited === null ? undefined : new Set(row.awaited.map(BigInt)),
    depthLimit: row.depth_limit,
    opening: {
      tsEvent: row.opening_ts ?? '0',
      sequence: BigInt(row.opening_sequence ?? row.sequence),
      bookEpoch: row.book_epoch,
    },
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
      insert into book_checkpoint (instrument_id, through_ts, sequence, resume_ts, book_epoch, opening_sequence,
                                   opening_ts, ts_event, ts_recv, depth_limit, bids, asks, awaited)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::bigint[]) on conflict do nothing`,
    values: [
      instrumentId,
      checkpoint.throughTs,
      place.sequence,
      checkpoint.resumeTs,
      place.bookEpoch,
      checkpoint.opening.sequence,
      checkpoint.opening.tsEvent,
      place.tsEvent,
      place.tsRecv,
      checkpoint.depthLimit,
      JSON.stringify(levels.bids),
      JSON.stringify(levels.asks),
      checkpoint.awaited && [...checkpoint.awaited],
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
