import { listStoredBatches, type Stores } from '../lake/reading/list-stored-rows.ts'
import { batchHead, batchLength, lastKey, type RowBatch, rowsOf } from '../lake/reading/row-batch.ts'
import type { ChannelName } from '../tables.ts'
import type { Key } from './cursor.ts'
import type { Row } from './record-queries.ts'
import type { Scan } from './scan.ts'

export type PageRows = {
  batches: RowBatch[]
  /** All rows of the batches. */
  readonly rows: Row[]
  hasMore: boolean
  /** Where the next page begins; undefined when nothing was read. */
  reached: Key | undefined
  /** More may follow although the page is not full, because few rows matched the filter or the rows are very large. */
  isShort: boolean
}

/** Books can be large: they are read in portions, and a page ends when it would become too big. */
const ROWS_PER_READ: Record<ChannelName, number> = { trade: 2_001, l2_event: 250 }
const PAGE_CHARACTERS_MAX = 8_000_000

/**
 * Rows per instrument that a filtered read examines, increasing until enough match; after the last step the page is
 * returned with fewer rows.
 */
const SCAN_STEPS = [2_000, 8_000, 16_000]

/** Returns up to `limit` rows; reads one more to determine whether more follow. */
export async function readPage(stores: Stores, scan: Scan, limit: number): Promise<PageRows> {
  const page = createPage(limit, scan.after)
  let step = 0
  for (;;) {
    const batchLimit = Math.min(page.room() + 1, ROWS_PER_READ[scan.channel])
    const scanMax = SCAN_STEPS[step] ?? 0
    const scanned = { ...scan, after: page.reached() }
    const { batches, frontier } = await listStoredBatches(stores, scanned, { limit: batchLimit, scanMax })
    for (const batch of batches) {
      const refusal = page.add(batch)
      if (refusal !== undefined) return page.end({ hasMore: true, isShort: refusal === 'large' })
    }
    if (batches.reduce((sum, batch) => sum + batchLength(batch), 0) === batchLimit) continue
    if (frontier === undefined) return page.end({ hasMore: false, isShort: false })
    page.skipTo(frontier)
    step += 1
    if (step === SCAN_STEPS.length) return page.end({ hasMore: true, isShort: true })
  }
}

function createPage(limit: number, after: Key | undefined) {
  const batches: RowBatch[] = []
  let count = 0
  let characters = 0
  let reached = after
  const push = (batch: RowBatch) => {
    if (batchLength(batch) === 0) return
    batches.push(batch)
    count += batchLength(batch)
    reached = lastKey(batch)
  }
  /** Number of rows within the size limit of a page. */
  const fitting = (rows: readonly Row[]): number => {
    const end = rows.findIndex((row, at) => {
      characters += lengthOf(row)
      return characters > PAGE_CHARACTERS_MAX && count + at > 0
    })
    return end === -1 ? rows.length : end
  }
  return {
    room: () => limit - count,
    reached: () => reached,
    skipTo: (key: Key) => (reached = key),
    add(batch: RowBatch): 'full' | 'large' | undefined {
      const head = batchHead(batch, limit - count)
      // Trades are small; only books can make a page too large.
      const fits = 'rows' in head ? fitting(head.rows) : head.count
      const isLarge = fits < batchLength(head)
      const isFull = batchLength(head) < batchLength(batch)
      push(batchHead(head, fits))
      if (isLarge) return 'large'
      return isFull ? 'full' : undefined
    },
    end: (state: { hasMore: boolean; isShort: boolean }): PageRows => ({
      batches,
      reached,
      ...state,
      get rows() {
        return rowsOf(batches)
      },
    }),
  }
}

function lengthOf(row: Row): number {
  let length = 0
  for (const text of row) length += text.length
  return length
}
