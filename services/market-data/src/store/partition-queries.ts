import type pg from 'pg'
import { deleteMinuteBars } from '../bars/minute-queries.ts'
import { deleteCheckpoints } from '../book/book-queries.ts'
import { dayName, dayStart } from '../nanoseconds.ts'
import type { ChannelName } from '../tables.ts'

const NAME = /^(?:trade|l2_event)_(\d{4})(\d{2})(\d{2})$/
const DAY_MS = 86_400_000
const LOCK_TIMEOUT_MS = 5_000

export type Partition = { name: string; day: number }

/** Days of this channel that have no partition yet. */
export async function listMissingDays(client: pg.ClientBase | pg.Pool, channel: ChannelName, days: number[]) {
  const { rows } = await client.query<{ day: number }>({
    text: `select day from unnest($1::int[], $2::text[]) as wanted(day, name) where to_regclass(name) is null`,
    values: [days, days.map((day) => `${channel}_${dayName(day)}`)],
  })
  return rows.map(({ day }) => day)
}

/**
 * Created separately and attached, because creating it in place would block all readers. Concurrent creators wait for
 * each other.
 */
export async function createPartition(client: pg.ClientBase, channel: ChannelName, day: number): Promise<void> {
  const name = `${channel}_${dayName(day)}`
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
    await client.query(`select pg_advisory_xact_lock(hashtext('tapeline-partitions'))`)
    const [missing] = await listMissingDays(client, channel, [day])
    if (missing !== undefined) {
      await client.query(`create table ${name} (like ${channel} including defaults including constraints)`)
      await client.query(
        `alter table ${channel} attach partition ${name} for values from (${dayStart(day)}) to (${dayStart(day + 1)})`,
      )
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** No partition accepts the row, or PostgreSQL cancelled a writer that waited for a partition being dropped. */
const DROPPED_CODES: readonly unknown[] = ['23514', '40P01']

export function isDroppedMeanwhile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && DROPPED_CODES.includes(error.code)
}

export async function listPartitions(pool: pg.Pool, channel: ChannelName): Promise<Partition[]> {
  const { rows } = await pool.query<{ name: string }>({
    text: `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
           where i.inhparent = $1::regclass order by c.relname`,
    values: [channel],
  })
  return rows.flatMap(({ name }) => {
    const [, year, month, day] = NAME.exec(name) ?? []
    return year === undefined ? [] : [{ name, day: Date.parse(`${year}-${month}-${day}T00:00:00Z`) / DAY_MS }]
  })
}

export type ExpiredRows = {
  channel: ChannelName
  partition: Partition
  instrumentIds: number[]
  retainedFrom: bigint
}
export type Deletion = { rows: number; isDropped: boolean }

/**
 * Deletes the rows of these instruments, with the partition if no other instrument has rows in it, and records from
 * when on they are kept. Concurrent writes finish first; later ones wait.
 */
export async function deleteRows(pool: pg.Pool, expired: ExpiredRows): Promise<Deletion> {
  const { channel, partition, instrumentIds, retainedFrom } = expired
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
    await client.query(`lock table ${partition.name} in share mode`)
    const isShared = await hasOtherRows(client, partition, instrumentIds)
    const { rows } = await client.query<{ dropped: string | null }>({
      text: `
        with gone as (
          select instrument_id, count(*) as rows from ${partition.name}
          where instrument_id = any($1::int[]) group by instrument_id),
        noted as (
          update channel c set retained_from = greatest(c.retained_from, $3::bigint),
            first_ts_event = greatest(c.first_ts_event, $3::bigint),
            stored_rows = c.stored_rows - coalesce((select rows from gone where gone.instrument_id = c.instrument_id), 0)
          where c.instrument_id = any($1::int[]) and c.name = $2)
        select sum(rows)::text as dropped from gone`,
      values: [instrumentIds, channel, retainedFrom],
    })
    await deleteDerived(client, expired)
    if (isShared) {
      await client.query({
        text: `delete from ${partition.name} where instrument_id = any($1::int[])`,
        values: [instrumentIds],
      })
    } else {
      await client.query(`drop table ${partition.name}`)
    }
    await client.query('commit')
    return { rows: Number(rows[0]?.dropped ?? 0), isDropped: !isShared }
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

type Retained = Pick<ExpiredRows, 'channel' | 'instrumentIds' | 'retainedFrom'>

/** Deletes what was derived from rows before `retainedFrom`: bars of trades, checkpoints of books. */
export async function deleteDerived(client: pg.ClientBase, retained: Retained): Promise<void> {
  const { channel, instrumentIds, retainedFrom } = retained
  const deleteThem = channel === 'trade' ? deleteMinuteBars : deleteCheckpoints
  await deleteThem(client, instrumentIds, retainedFrom)
}

/** Whether a partition has rows of other instruments than these. */
export async function hasOtherRows(
  client: pg.ClientBase,
  { name }: Partition,
  instrumentIds: number[],
): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>({
    text: `select exists (
             select from instrument i
             where i.instrument_id <> all($1::int[])
               and exists (select from ${name} r where r.instrument_id = i.instrument_id)) as found`,
    values: [instrumentIds],
  })
  return rows[0]?.found === true
}
