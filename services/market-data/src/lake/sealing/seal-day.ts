import type pg from 'pg'
import { limitWaits, lockChannel } from '../../store/store-queries.ts'
import type { WrittenFile } from '../files/write-file.ts'
import type { Stores } from '../reading/list-stored-rows.ts'
import { objectKey } from './object-key.ts'
import { protectObject, putObject } from './put-object.ts'
import { recordSealedFile } from './record-sealed-file.ts'
import {
  type ChannelDay,
  copyDay,
  countDay,
  type DayCounts,
  findInstrumentNames,
  findSealedFile,
  insertSealedGaps,
} from './seal-queries.ts'

/** `changed`: rows arrived in the meantime; the next attempt includes them. */
export type SealOutcome = 'sealed' | 'sealed already' | 'empty' | 'changed'

const COPY_TIMEOUT_MS = 600_000

/**
 * Writes a day's rows as one file and records it in the manifest, which is the only commit point. Safe to repeat, also
 * after a kill at any step: the same rows give the same key. The rows stay in the table until drop-sealed-days.
 */
export async function sealDay(stores: Stores, day: ChannelDay): Promise<SealOutcome> {
  if ((await findSealedFile(stores.pool, day)) !== undefined) return 'sealed already'
  const names = await findInstrumentNames(stores.pool, day.instrumentId)
  if (names === undefined) throw new Error(`there is no instrument ${day.instrumentId}`)
  const client = await stores.pool.connect()
  let broken: Error | undefined
  try {
    const { counts, file } = await readSnapshot(stores, client, day)
    if (file === undefined) return 'empty'
    const key = objectKey({ ...day, ...names, sha256: file.sha256 })
    await putObject(stores, key, file.bytes)
    return await recordFile(stores, client, day, { key, file, counts })
  } catch (error) {
    await client.query('rollback').catch((cause: unknown) => {
      broken = cause instanceof Error ? cause : new Error('rollback failed')
    })
    throw error
  } finally {
    client.release(broken)
  }
}

type Snapshot = { counts: DayCounts; file: WrittenFile | undefined }

/** Takes no lock: writers continue, and recordFile detects their rows. */
async function readSnapshot({ lake }: Stores, client: pg.ClientBase, day: ChannelDay): Promise<Snapshot> {
  await client.query('begin isolation level repeatable read read only')
  await client.query(
    `set local statement_timeout = ${COPY_TIMEOUT_MS}; set local idle_in_transaction_session_timeout = ${COPY_TIMEOUT_MS}`,
  )
  const counts = await countDay(client, day)
  const file =
    counts.row_count === '0' ? undefined : await lake.encoder.encodeRows(day.channel, () => copyDay(client, day))
  await client.query('commit')
  if (file !== undefined && String(file.rows) !== counts.row_count) throw new Error('the file lacks rows of its day')
  return { counts, file }
}

type Recorded = { key: string; file: WrittenFile; counts: DayCounts }

/** Writers of the channel wait while its day is counted again and recorded in the manifest. */
async function recordFile(
  stores: Stores,
  client: pg.ClientBase,
  day: ChannelDay,
  recorded: Recorded,
): Promise<SealOutcome> {
  await client.query('begin')
  await limitWaits(client)
  await lockChannel(client, day.instrumentId, day.channel)
  const isSealed = (await findSealedFile(client, day)) !== undefined
  const now = await countDay(client, day)
  if (isSealed || JSON.stringify(now) !== JSON.stringify(recorded.counts)) {
    await client.query('rollback')
    return isSealed ? 'sealed already' : 'changed'
  }
  await protectObject(stores, client, recorded.key, recorded.file.bytes)
  await recordSealedFile(client, { ...day, ...recorded })
  if (day.channel === 'l2_event') await insertSealedGaps(client, day)
  await client.query('commit')
  return 'sealed'
}
