import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { Tables } from '../tables.ts'
import type { SecondRange } from './records-between.ts'

/** The last generated range. */
export type Position = SecondRange & { isLive: boolean }

export async function findPosition(db: Kysely<Tables>, instrumentId: number): Promise<Position | undefined> {
  const row = await db
    .selectFrom('simulator_position')
    .selectAll()
    .where('instrument_id', '=', instrumentId)
    .executeTakeFirst()
  return (
    row && {
      previous: Number(row.previous_second),
      latest: Number(row.latest_second),
      step: row.step_seconds,
      isLive: row.is_live,
    }
  )
}

export async function savePosition(db: Kysely<Tables>, instrumentId: number, position: Position): Promise<void> {
  const columns = {
    previous_second: BigInt(position.previous),
    latest_second: BigInt(position.latest),
    step_seconds: position.step,
    is_live: position.isLive,
  }
  await db
    .insertInto('simulator_position')
    .values({ instrument_id: instrumentId, ...columns })
    .onConflict((conflict) => conflict.column('instrument_id').doUpdateSet(columns))
    .execute()
}

/** The same, on the connection of a transaction that also stores the range. */
export async function savePositionOn(client: pg.ClientBase, instrumentId: number, position: Position): Promise<void> {
  await client.query({
    text: `insert into simulator_position values ($1, $2, $3, $4, $5)
           on conflict (instrument_id) do update set previous_second = $2, latest_second = $3, step_seconds = $4, is_live = $5`,
    values: [instrumentId, position.previous, position.latest, position.step, position.isLive],
  })
}

/** One simulator at a time, as long as this connection is open. */
export async function tryLockSimulator(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    `select pg_try_advisory_lock(hashtext('tapeline-simulator')) as locked`,
  )
  return rows[0]?.locked === true
}

export async function unlockSimulator(client: pg.ClientBase): Promise<void> {
  await client.query(`select pg_advisory_unlock(hashtext('tapeline-simulator'))`)
}
