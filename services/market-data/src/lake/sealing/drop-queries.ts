import type pg from 'pg'
import { dayName, dayStart } from '../../nanoseconds.ts'
import { hasOtherRows } from '../../store/partition-queries.ts'
import { limitWaits, lockChannel } from '../../store/store-queries.ts'
import { SEALED_COLUMNS, type SealedColumns, type SealedFile, sealedFileOf } from '../manifest-queries.ts'

const FILES_PER_RUN = 500

/** Current files that were sealed long enough ago and whose rows are still in PostgreSQL. */
export async function listDroppableFiles(pool: pg.Pool, graceMs: number): Promise<SealedFile[]> {
  const { rows } = await pool.query<SealedColumns>({
    text: `select ${SEALED_COLUMNS} from sealed_file
           where superseded_at is null and hot_dropped_at is null
             and sealed_at <= now() - make_interval(secs => $1::double precision / 1000)
           order by sealed_at limit ${FILES_PER_RUN}`,
    values: [graceMs],
  })
  return rows.map(sealedFileOf)
}

/**
 * In one transaction, deletes the rows (and the partition if no other instrument has rows in it) and updates the file's
 * row.
 */
export async function dropHotRows(pool: pg.Pool, file: SealedFile): Promise<boolean> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    await limitWaits(client)
    await lockChannel(client, file.instrumentId, file.ref.channel)
    const isDropped = await dropLocked(client, file)
    await client.query(isDropped ? 'commit' : 'rollback')
    return isDropped
  } catch (error) {
    await client.query('rollback').catch((cause: unknown) => {
      broken = cause instanceof Error ? cause : new Error('rollback failed')
    })
    throw error
  } finally {
    client.release(broken)
  }
}

/** False if the day has changed, so that this file is no longer current. */
async function dropLocked(
  client: pg.ClientBase,
  { fileId, instrumentId, day, rows, ref }: SealedFile,
): Promise<boolean> {
  const marked = await client.query({
    text: `update sealed_file set hot_dropped_at = now()
           where file_id = $1 and superseded_at is null and hot_dropped_at is null`,
    values: [fileId],
  })
  if (marked.rowCount !== 1) return false
  const name = `${ref.channel}_${dayName(day)}`
  const { rows: found } = await client.query<{ exists: boolean }>({
    text: 'select to_regclass($1) is not null as exists',
    values: [name],
  })
  // If the rows were written straight into the lake, there is no partition.
  if (found[0]?.exists !== true) return true
  await client.query(`lock table ${name} in share mode`)
  if (await hasOtherRows(client, { name, day }, [instrumentId])) {
    const deleted = await client.query({
      text: `delete from ${name} where instrument_id = $1 and ts_event >= $2 and ts_event < $3`,
      values: [instrumentId, dayStart(day), dayStart(day + 1)],
    })
    checkCount(ref.key, rows, deleted.rowCount ?? 0)
    return true
  }
  const counted = await client.query<{ rows: string }>(`select count(*)::text as rows from ${name}`)
  checkCount(ref.key, rows, Number(counted.rows[0]?.rows))
  await client.query(`drop table ${name}`)
  return true
}

/** Rows that were written straight into the lake are not in the table. */
function checkCount(key: string, inFile: number, inTable: number): void {
  if (inTable === inFile || inTable === 0) return
  throw new Error(`${key} has ${inFile} rows, PostgreSQL has ${inTable} of that day: nothing is dropped`)
}
