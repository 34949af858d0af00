import type { Stores } from './reading/list-stored-rows.ts'
import { restoreDay } from './sealing/restore-day.ts'
import { supersedeHotFile } from './sealing/late-data-queries.ts'
import { type SealOutcome, sealDay } from './sealing/seal-day.ts'
import { type ChannelDay, findSealedFile } from './sealing/seal-queries.ts'

/**
 * Rewrites the file of a day as its next revision: from PostgreSQL while it has the rows, otherwise from the current
 * file, which must be intact.
 */
export async function resealDay(stores: Stores, day: ChannelDay): Promise<SealOutcome> {
  const file = await findSealedFile(stores.pool, day)
  // drop-sealed-days may delete the rows at any time.
  if (file !== undefined && !(await supersedeHotFile(stores.pool, file.fileId))) await restoreDay(stores, file)
  return sealDay(stores, day)
}
