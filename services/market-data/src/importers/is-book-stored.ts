import { findInstrumentId } from '../instruments/instrument-queries.ts'
import { SOURCE_ID_AT } from '../lake/files/layout.ts'
import { fileRows } from '../lake/reading/file-rows.ts'
import { findSealedFile } from '../lake/sealing/seal-queries.ts'
import { dayOf } from '../nanoseconds.ts'
import { isBookInTable, LOOK_BACK_NS, type StoredBook } from './importer-queries.ts'
import type { ImportDeps } from './kind.ts'

/** Whether the update with this id is stored, at most a minute before the given time, in PostgreSQL or in the lake. */
export async function isBookStored(deps: Pick<ImportDeps, 'db' | 'pool' | 'lake'>, book: StoredBook): Promise<boolean> {
  if (await isBookInTable(deps.db, book)) return true
  const instrumentId = await findInstrumentId(deps.db, book.venue, book.symbol)
  if (instrumentId === undefined) return false
  const range = { start: BigInt(book.before) - LOOK_BACK_NS, end: BigInt(book.before) + 1n }
  for (const day of new Set([dayOf(String(range.start)), dayOf(book.before)])) {
    const file = await findSealedFile(deps.pool, { instrumentId, channel: 'l2_event', day })
    if (file === undefined) continue
    for await (const row of fileRows(deps.lake.reader, file, range)) {
      if (row[SOURCE_ID_AT.l2_event] === book.lastUpdateId) return true
    }
  }
  return false
}
