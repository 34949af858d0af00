import { PAGE_SIZE_MAX } from '@tapeline/contracts/market-data/http'
import type pg from 'pg'
import type { ChannelName } from '../tables.ts'
import type { Key } from './cursor.ts'
import { listRows, type Row } from './record-queries.ts'
import type { Scan } from './scan.ts'

export type PageRows = {
  rows: Row[]
  hasMore: boolean
  /** Where the next page begins; undefined when nothing was read. */
  reached: Key | undefined
  /** More may follow although the page has room: too little fitted the filter, or what did is very large. */
  isShort: boolean
}

/** Books can be large: they are read in portions, and a page ends when it would become too big. */
const ROWS_PER_READ: Record<ChannelName, number> = { trade: PAGE_SIZE_MAX + 1, l2_event: 250 }
const PAGE_CHARACTERS_MAX = 8_000_000

/** Up to `limit` rows; one more is read to know whether there are more. */
export async function readPage(pool: pg.Pool, scan: Scan, limit: number): Promise<PageRows> {
  const rows: Row[] = []
  let characters = 0
  let { after } = scan
  for (;;) {
    const wanted = Math.min(limit + 1 - rows.length, ROWS_PER_READ[scan.channel])
    const { rows: found, frontier } = await listRows(pool, { ...scan, after }, wanted)
    for (const row of found) {
      if (rows.length === limit) return { rows, hasMore: true, reached: after, isShort: false }
      characters += lengthOf(row)
      if (characters > PAGE_CHARACTERS_MAX && rows.length > 0)
        return { rows, hasMore: true, reached: after, isShort: true }
      rows.push(row)
      after = keyOf(row)
    }
    if (found.length < wanted) {
      return { rows, hasMore: frontier !== undefined, reached: frontier ?? after, isShort: frontier !== undefined }
    }
  }
}

function keyOf([instrumentId, sequence, tsEvent]: Row): Key {
  return { tsEvent: tsEvent ?? '', instrumentId: Number(instrumentId), sequence: sequence ?? '' }
}

function lengthOf(row: Row): number {
  let length = 0
  for (const text of row) length += text?.length ?? 0
  return length
}
