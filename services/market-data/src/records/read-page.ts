import { PAGE_SIZE_MAX } from '@tapeline/contracts/market-data/http'
import { listStoredRows, type Stores } from '../lake/reading/list-stored-rows.ts'
import type { ChannelName } from '../tables.ts'
import type { Key } from './cursor.ts'
import type { Row } from './record-queries.ts'
import { keyOfRow } from './row-key.ts'
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

/** Rows per instrument that a filtered read looks at, more each time it finds too little; then it answers with what it has. */
const LOOK_AT_STEPS = [2_000, 8_000, 16_000]

/** Up to `limit` rows; one more is read to know whether there are more. */
export async function readPage(stores: Stores, scan: Scan, limit: number): Promise<PageRows> {
  const page = createPage(limit, scan.after)
  let step = 0
  for (;;) {
    const wanted = Math.min(page.room() + 1, ROWS_PER_READ[scan.channel])
    const lookAt = LOOK_AT_STEPS[step] ?? 0
    const { rows, frontier } = await listStoredRows(
      stores,
      { ...scan, after: page.reached() },
      { limit: wanted, lookAt },
    )
    for (const row of rows) {
      const refusal = page.add(row)
      if (refusal !== undefined) return page.end({ hasMore: true, isShort: refusal === 'large' })
    }
    if (rows.length === wanted) continue
    if (frontier === undefined) return page.end({ hasMore: false, isShort: false })
    page.skipTo(frontier)
    step += 1
    if (step === LOOK_AT_STEPS.length) return page.end({ hasMore: true, isShort: true })
  }
}

function createPage(limit: number, after: Key | undefined) {
  const rows: Row[] = []
  let characters = 0
  let reached = after
  return {
    room: () => limit - rows.length,
    reached: () => reached,
    skipTo: (key: Key) => (reached = key),
    add(row: Row): 'full' | 'large' | undefined {
      if (rows.length === limit) return 'full'
      characters += lengthOf(row)
      if (characters > PAGE_CHARACTERS_MAX && rows.length > 0) return 'large'
      rows.push(row)
      reached = keyOfRow(row)
      return undefined
    },
    end: (state: { hasMore: boolean; isShort: boolean }): PageRows => ({ rows, reached, ...state }),
  }
}

function lengthOf(row: Row): number {
  let length = 0
  for (const text of row) length += text.length
  return length
}
