import type pg from 'pg'

export type DayWithoutBars = { instrumentId: number; day: number }

/** Marks that trades of a day were stored without their bars. */
export async function markDayWithoutBars(client: pg.ClientBase, { instrumentId, day }: DayWithoutBars): Promise<void> {
  await client.query({
    text: 'insert into bar_unkept_day (instrument_id, day) values ($1, $2) on conflict do nothing',
    values: [instrumentId, day],
  })
}

/** Newest first: those are read most. */
export async function listDaysWithoutBars(pool: pg.Pool, limit: number): Promise<DayWithoutBars[]> {
  const { rows } = await pool.query<{ instrument_id: number; day: number }>({
    text: 'select instrument_id, day from bar_unkept_day order by day desc, instrument_id limit $1',
    values: [limit],
  })
  return rows.map(({ instrument_id, day }) => ({ instrumentId: instrument_id, day }))
}

/** Whether the kept bars of instruments lack trades on one of these days, both inclusive. */
export async function hasDaysWithoutBars(
  pool: pg.Pool,
  instrumentIds: number[],
  { firstDay, lastDay }: { firstDay: number; lastDay: number },
): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>({
    text: `
      select exists (
        select from bar_unkept_day where instrument_id = any($1::int[]) and day between $2 and $3) as found`,
    values: [instrumentIds, firstDay, lastDay],
  })
  return rows[0]?.found === true
}

/** Deletes the mark and the stored bars of a day. */
export async function clearDayWithoutBars(
  client: pg.ClientBase,
  { instrumentId, day }: DayWithoutBars,
  { start, end }: { start: bigint; end: bigint },
): Promise<void> {
  await client.query({
    text: 'delete from bar_unkept_day where instrument_id = $1 and day = $2',
    values: [instrumentId, day],
  })
  await client.query({
    text: 'delete from bar_1m where instrument_id = $1 and minute >= $2::bigint and minute < $3::bigint',
    values: [instrumentId, start, end],
  })
}
