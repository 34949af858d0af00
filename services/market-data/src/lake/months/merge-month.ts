import { limitWaits, lockChannel } from '../../store/store-queries.ts'
import { inTransaction } from '../in-transaction.ts'
import type { SealedFile } from '../manifest-queries.ts'
import type { Stores } from '../reading/list-stored-rows.ts'
import { copyDays } from '../sealing/day-lines.ts'
import { monthKey } from '../sealing/object-key.ts'
import { protectObject, putObject } from '../sealing/put-object.ts'
import { findInstrumentNames } from '../sealing/seal-queries.ts'
import { type ChannelMonth, listFilesOfMonth, type MergedFile, replaceFiles } from './month-queries.ts'

/** `changed`: a day received rows or another file in the meantime; the next attempt includes them. */
export type MergeOutcome = 'merged' | 'merged already' | 'changed'

/**
 * Writes the sealed days of a month as one file, which becomes the next revision of each. No row changes, and readers
 * see the same rows before and after. Safe to repeat, also after a kill at any step.
 */
export async function mergeMonth(stores: Stores, month: ChannelMonth): Promise<MergeOutcome> {
  const { pool, lake } = stores
  const files = await listFilesOfMonth(pool, month)
  if (new Set(files.map(({ ref }) => ref.key)).size < 2) return 'merged already'
  if (files.some(({ isHotDropped }) => !isHotDropped)) return 'changed'
  const names = await findInstrumentNames(pool, month.instrumentId)
  if (names === undefined) throw new Error(`there is no instrument ${month.instrumentId}`)
  const file = await lake.encoder.encodeRows(month.channel, () => copyDays(lake.reader, files))
  const rows = files.reduce((sum, day) => sum + day.rows, 0)
  if (file.rows !== rows) throw new Error(`the month's file has ${file.rows} rows, its days have ${rows}`)
  const key = monthKey({ ...month, ...names, day: month.firstDay, sha256: file.sha256 })
  await putObject(stores, key, file.bytes)
  return recordMonth(stores, month, { fileIds: idsOf(files), key, file })
}

/** Writers of the channel wait until it returns. */
function recordMonth(stores: Stores, month: ChannelMonth, merged: MergedFile): Promise<MergeOutcome> {
  return inTransaction(stores.pool, async (client) => {
    await limitWaits(client)
    await lockChannel(client, month.instrumentId, month.channel)
    const now = idsOf(await listFilesOfMonth(client, month))
    if (now.join() !== merged.fileIds.join()) return 'changed'
    await protectObject(stores, client, merged.key, merged.file.bytes)
    await replaceFiles(client, merged)
    return 'merged'
  })
}

function idsOf(files: readonly SealedFile[]): string[] {
  return files.map(({ fileId }) => fileId)
}
