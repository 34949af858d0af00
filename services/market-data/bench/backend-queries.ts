import type pg from 'pg'

/** Process ids of the PostgreSQL backends of an application on this machine. */
export async function listBackends(pool: pg.Pool, application: string): Promise<number[]> {
  const { rows } = await pool.query<{ pid: number }>({
    text: 'select pid from pg_stat_activity where application_name = $1 and datname = current_database()',
    values: [application],
  })
  return rows.map(({ pid }) => pid)
}
