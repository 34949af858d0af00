import type pg from 'pg'
import { compareNanoseconds } from '../nanoseconds.ts'

/** Events of a book to examine for checkpoints: [from, until), or from the position on. */
export type UnexaminedPart = { from: string; until: string | undefined }

/** Starts at `0` if the book has no position yet, because none of its events were examined. */
export async function findPosition(pool: pg.Pool, instrumentId: number): Promise<UnexaminedPart> {
  const { rows } = await pool.query<{ ts_event: string }>({
    text: `
      insert into book_position (instrument_id, ts_event) values ($1, 0)
      on conflict (instrument_id) do update set ts_event = book_position.ts_event returning ts_event`,
    values: [instrumentId],
  })
  return { from: rows[0]?.ts_event ?? '0', until: undefined }
}

/** Up to where the events of books were examined, and the current epochs, by instrument. */
export async function listPositions(
  pool: pg.Pool,
  instrumentIds: readonly number[],
): Promise<ReadonlyMap<number, { tsEvent: string; bookEpoch: number }>> {
  const { rows } = await pool.query<{ instrument_id: number; ts_event: string; book_epoch: number }>({
    text: `select instrument_id, ts_event, book_epoch from book_position join channel using (instrument_id)
           where instrument_id = any($1::int[]) and name = 'l2_event'`,
    values: [instrumentIds],
  })
  return new Map(rows.map((row) => [row.instrument_id, { tsEvent: row.ts_event, bookEpoch: row.book_epoch }]))
}

/** The first part before the position that has new events. */
export async function findReopened(pool: pg.Pool, instrumentId: number): Promise<UnexaminedPart | undefined> {
  const { rows } = await pool.query<{ from: string; until: string }>({
    text: `select from_ts as from, until_ts as until from book_reopened where instrument_id = $1
           order by from_ts limit 1`,
    values: [instrumentId],
  })
  return rows[0]
}

/** Whether all events from `first` to `last` (ns) were examined for checkpoints. */
export async function isExamined(
  pool: pg.Pool,
  instrumentId: number,
  { first, last }: { first: string; last: string },
): Promise<boolean> {
  const { rowCount } = await pool.query({
    text: `select from book_position p where instrument_id = $1 and ts_event > $3::bigint
             and not exists (select from book_reopened r where r.instrument_id = p.instrument_id
                             and from_ts <= $3::bigint and until_ts > $2::bigint)`,
    values: [instrumentId, first, last],
  })
  return rowCount === 1
}

/** Whether the part is still to examine; its row is locked until the transaction ends. */
export async function lockPart(
  client: pg.ClientBase,
  instrumentId: number,
  { from, until }: UnexaminedPart,
): Promise<boolean> {
  const { rowCount } = await client.query(
    until === undefined
      ? {
          text: 'select from book_position where instrument_id = $1 and ts_event = $2::bigint for update',
          values: [instrumentId, from],
        }
      : {
          text: `select from book_reopened where instrument_id = $1 and from_ts = $2::bigint and until_ts = $3::bigint
                 for update`,
          values: [instrumentId, from, until],
        },
  )
  return rowCount === 1
}

/** Events of the part before `to` were examined. */
export async function movePart(
  client: pg.ClientBase,
  instrumentId: number,
  { from, until, to }: UnexaminedPart & { to: string },
): Promise<void> {
  if (until === undefined) {
    await client.query({
      text: 'update book_position set ts_event = $2 where instrument_id = $1',
      values: [instrumentId, to],
    })
    return
  }
  await client.query({
    text: 'delete from book_reopened where instrument_id = $1 and from_ts = $2::bigint',
    values: [instrumentId, from],
  })
  if (BigInt(to) < BigInt(until)) await insertReopened(client, instrumentId, to, until)
}

/** Joins parts that overlap or touch: a checkpoint writer that has read one of them finds that it has changed. */
async function insertReopened(client: pg.ClientBase, instrumentId: number, from: string, until: string): Promise<void> {
  const { rows } = await client.query<{ from: string; until: string }>({
    text: `delete from book_reopened where instrument_id = $1 and from_ts <= $3::bigint and until_ts >= $2::bigint
           returning from_ts as from, until_ts as until`,
    values: [instrumentId, from, until],
  })
  await client.query({
    text: `insert into book_reopened (instrument_id, from_ts, until_ts)
           select $1, min(joined.from), max(joined.until) from unnest($2::bigint[], $3::bigint[]) as joined ("from", until)`,
    values: [instrumentId, [from, ...rows.map((row) => row.from)], [until, ...rows.map((row) => row.until)]],
  })
}

/**
 * The events from `first` on are examined again with the newest ones, also those of the parts that reach up to there or
 * beyond: the book directly before the position must have its checkpoints.
 */
async function moveBack(client: pg.ClientBase, instrumentId: number, first: string): Promise<void> {
  const { rows } = await client.query<{ from: string }>({
    text: 'delete from book_reopened where instrument_id = $1 and until_ts >= $2::bigint returning from_ts as from',
    values: [instrumentId, first],
  })
  const [to = first] = [first, ...rows.map((row) => row.from)].toSorted(compareNanoseconds)
  await movePart(client, instrumentId, { from: first, until: undefined, to })
}

export type NewEventsOfBook = {
  instrumentId: number
  first: string
  /** Time of a later event from which on the book does not depend on the new ones. */
  nextOpening?: string | undefined
}

/** Events of this time and later were stored: checkpoints from there to the next opening are written again. */
export async function reopenBook(
  client: pg.ClientBase,
  { instrumentId, first, nextOpening }: NewEventsOfBook,
): Promise<void> {
  const { rows } = await client.query<{ ts_event: string }>({
    text: 'select ts_event from book_position where instrument_id = $1 and ts_event > $2::bigint for update',
    values: [instrumentId, first],
  })
  const [position] = rows
  if (position === undefined) return
  const until = nextOpening !== undefined && BigInt(nextOpening) < BigInt(position.ts_event) ? nextOpening : undefined
  if (until === undefined) {
    await moveBack(client, instrumentId, first)
  } else {
    await insertReopened(client, instrumentId, first, until)
  }
  await client.query({
    text: `
      delete from book_checkpoint
      where instrument_id = $1 and through_ts >= $2::bigint and through_ts < coalesce($3::bigint, through_ts + 1)`,
    values: [instrumentId, first, until],
  })
}
