import { createPartition, listMissingDays } from '../../store/partition-queries.ts'
import { limitWaits, lockChannel } from '../../store/store-queries.ts'
import type { SealedFile } from '../manifest-queries.ts'
import type { Stores } from '../reading/list-stored-rows.ts'
import { dayLines } from './day-lines.ts'
import { copyRowsBack, supersedeFile } from './late-data-queries.ts'

const COPY_TIMEOUT_MS = 600_000

/**
 * Puts the rows of a sealed day into PostgreSQL again, with their sequences, and ends the validity of its file, in one
 * transaction: readers see the same rows before and after. The day is sealed again later, as its next revision.
 */
export async function restoreDay({ pool, lake }: Stores, file: SealedFile): Promise<void> {
  const { channel } = file.ref
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    const [missing] = await listMissingDays(client, channel, [file.day])
    if (missing !== undefined) await createPartition(client, channel, missing)
    await client.query('begin')
    await limitWaits(client)
    await client.query(`set local statement_timeout = ${COPY_TIMEOUT_MS}`)
    await lockChannel(client, file.instrumentId, channel)
    if (await supersedeFile(client, file.fileId)) {
      await copyRowsBack(client, file, dayLines(lake.reader, file))
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch((cause: unknown) => {
      broken = cause instanceof Error ? cause : new Error('rollback failed')
    })
    throw error
  } finally {
    client.release(broken)
  }
}
