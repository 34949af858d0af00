import type pg from 'pg'
import type { ChannelName } from '../../tables.ts'

/** Files that are no longer current, by age. Returns how many. */
export async function deleteOldFiles(client: pg.ClientBase, ageMs: number): Promise<number> {
  const { rowCount } = await client.query({
    text: `delete from sealed_file where superseded_at <= now() - make_interval(secs => $1::double precision / 1000)`,
    values: [ageMs],
  })
  return rowCount ?? 0
}

export async function listObjectKeys(client: pg.ClientBase): Promise<Set<string>> {
  const { rows } = await client.query<{ object_key: string }>('select distinct object_key from sealed_file')
  return new Set(rows.map((row) => row.object_key))
}

/**
 * Locks an object key until the end of the transaction. Without the lock a sweep could delete an object that a
 * concurrent seal of the same rows has just found to exist.
 */
export async function lockObjectKey(client: pg.ClientBase, key: string): Promise<void> {
  await client.query({ text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))', values: [key] })
}

export async function isObjectNamed(client: pg.ClientBase, key: string): Promise<boolean> {
  const { rowCount } = await client.query({
    text: 'select from sealed_file where object_key = $1 limit 1',
    values: [key],
  })
  return rowCount === 1
}

export type Retention = { channel: ChannelName; instrumentIds: number[]; firstDay: number; retainedFrom: bigint }

/** Ends the validity of sealed days before `firstDay`; counts and times of their channels follow. Returns the days. */
export async function expireSealedDays(client: pg.ClientBase, retention: Retention): Promise<number> {
  const { rows } = await client.query<{ days: string }>({
    text: `
      with locked as (
        select instrument_id from channel where instrument_id = any($1::integer[]) and name = $2 for update),
      expired as (
        update sealed_file f set superseded_at = now()
        from locked where f.instrument_id = locked.instrument_id and f.channel = $2 and f.day < $3
          and f.superseded_at is null
        returning f.instrument_id, f.row_count, f.hot_dropped_at),
      gaps as (
        delete from sealed_gap where $2 = 'l2_event' and instrument_id = any($1::integer[]) and ts_event < $4::bigint),
      noted as (
        update channel c set retained_from = greatest(c.retained_from, $4::bigint),
          first_ts_event = greatest(c.first_ts_event, $4::bigint),
          stored_rows = c.stored_rows - coalesce((
            select sum(row_count) from expired
            where expired.instrument_id = c.instrument_id and hot_dropped_at is not null), 0)
        where c.name = $2 and c.instrument_id in (select instrument_id from expired))
      select count(*)::text as days from expired`,
    values: [retention.instrumentIds, retention.channel, retention.firstDay, retention.retainedFrom],
  })
  return Number(rows[0]?.days ?? 0)
}
