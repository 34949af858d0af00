import type { Deps } from '../deps.ts'
import { bookEventOf } from '../book/book-event.ts'
import { findLatestRow } from '../lake/reading/find-latest-row.ts'
import type { StoredBook } from './book/book-machine.ts'
import { findHotTradeWithId, type StoredTrade } from './connector-queries.ts'

/** Where an earlier connector stopped; undefined where nothing is stored. */
export type StoredEnd = {
  /** The latest trade that has an id of the venue. */
  lastTrade: { id: number; tsEvent: string } | undefined
  book: StoredBook | undefined
}

/** After an outage of more than a day, the end is in a sealed day. */
export async function findStoredEnd(deps: Deps, instrumentId: number): Promise<StoredEnd> {
  const trade = (await findHotTradeWithId(deps.db, instrumentId)) ?? (await findSealedTrade(deps, instrumentId))
  const id = Number(trade?.sourceId ?? Number.NaN)
  return {
    lastTrade: trade !== undefined && Number.isSafeInteger(id) ? { id, tsEvent: trade.tsEvent } : undefined,
    book: await findStoredBook(deps, instrumentId),
  }
}

async function findStoredBook(deps: Deps, instrumentId: number): Promise<StoredBook | undefined> {
  const row = await findLatestRow(deps, { channel: 'l2_event', instrumentId })
  if (row === undefined) return undefined
  const { gap, tsEvent } = bookEventOf(row)
  return gap === null ? { validUntil: tsEvent } : { openGap: gap }
}

async function findSealedTrade(deps: Deps, instrumentId: number): Promise<StoredTrade | undefined> {
  const row = await findLatestRow(deps, { channel: 'trade', instrumentId })
  if (row === undefined) return undefined
  const [, , tsEvent = '', , , , , hasTradeId, , , sourceId = ''] = row
  return hasTradeId === 't' ? { sourceId, tsEvent } : undefined
}
