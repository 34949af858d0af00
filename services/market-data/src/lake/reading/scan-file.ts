import type { Row } from '../../records/record-queries.ts'
import type { Block } from '../files/decode-block.ts'
import type { OpenFile } from '../files/open-file.ts'
import type { SealedFile } from '../manifest-queries.ts'
import type { FileReader } from './file-reader.ts'
import { rowAt, type RowSpan } from './row-batch.ts'

/** Rows beyond (edge, sequence) and up to a bound: exclusive when ascending, inclusive when descending. */
export type FilePlace = { edge: bigint; sequence: bigint; bound: bigint; direction: 'asc' | 'desc' }
export type FileLimits = {
  limit: number
  /** Maximum number of rows to examine if `matches` rejects some of them. */
  scanMax: number
  matches: ((row: Row) => boolean) | undefined
}
export type FileRows = {
  rows: Row[]
  /** The last examined row, if the scan ended because of `scanMax`. */
  reached: { tsEvent: string; sequence: string } | undefined
  rowsScanned: number
}

/** The next rows of one sealed file. */
export async function scanFile(
  reader: FileReader,
  sealed: SealedFile,
  place: FilePlace,
  limits: FileLimits,
): Promise<FileRows> {
  const file = await reader.open(sealed.ref)
  const step = place.direction === 'asc' ? 1 : -1
  const found = createCollector(String(sealed.instrumentId), limits)
  for (let index = firstBlock(file, place); index >= 0 && index < file.blockKeys.length / 2; index += step) {
    const block = await reader.block(file, index)
    for (let at = positionIn(block, place); at >= 0 && at < block.rows; at += step) {
      if (isOutside(block.times[at], place) || found.isFullWith(block, at)) return found.rows()
    }
  }
  return found.rows()
}

/** The next rows of one sealed file, unfiltered and not decoded into rows. */
export async function scanSpans(
  reader: FileReader,
  sealed: SealedFile,
  place: FilePlace,
  limit: number,
): Promise<RowSpan[]> {
  const { instrumentId } = sealed
  const file = await reader.open(sealed.ref)
  const step = place.direction === 'asc' ? 1 : -1
  const spans: RowSpan[] = []
  let left = limit
  for (
    let index = firstBlock(file, place);
    index >= 0 && index < file.blockKeys.length / 2 && left > 0;
    index += step
  ) {
    const block = await reader.block(file, index)
    const first = positionIn(block, place)
    const inside = rowsInside(block, place)
    const count = Math.min(left, step === 1 ? inside.to - first : first - inside.from + 1)
    if (count > 0) spans.push({ block, instrumentId, first, count, step })
    left -= Math.max(0, count)
    if (step === 1 ? inside.to < block.rows : inside.from > 0) break
  }
  return spans
}

/** The rows of a block that are within the bound. */
function rowsInside({ rows, times }: Block, { direction, bound }: FilePlace): { from: number; to: number } {
  const edge = lowest(rows, (at) => (times[at] ?? 0n) >= bound)
  return direction === 'asc' ? { from: 0, to: edge } : { from: edge, to: rows }
}

function isOutside(time = 0n, { direction, bound }: FilePlace): boolean {
  return direction === 'asc' ? time >= bound : time < bound
}

function createCollector(instrumentId: string, { limit, scanMax, matches }: FileLimits) {
  const rows: Row[] = []
  let reached: FileRows['reached']
  let rowsScanned = 0
  return {
    rows: (): FileRows => ({ rows, reached, rowsScanned }),
    isFullWith(block: Block, at: number): boolean {
      const row = rowAt(block, at, instrumentId)
      rowsScanned += 1
      if (matches === undefined || matches(row)) rows.push(row)
      if (rows.length === limit) return true
      if (matches === undefined || rowsScanned < scanMax) return false
      reached = keyAt(block, at)
      return true
    },
  }
}

/** The last block whose first row is before the place; rows beyond it begin there or in the next one. */
function firstBlock({ blockKeys }: OpenFile, { edge, sequence, direction }: FilePlace): number {
  const blocks = blockKeys.length / 2
  const beyond = lowest(
    blocks,
    (block) => !isBefore(blockKeys[2 * block], blockKeys[2 * block + 1], { edge, sequence }),
  )
  return direction === 'asc' ? Math.max(0, beyond - 1) : beyond - 1
}

/** The row of a block from which to continue; -1 or its length if there is none. */
function positionIn(block: Block, { edge, sequence, direction }: FilePlace): number {
  const { times, sequences, rows } = block
  if (direction === 'desc') {
    return lowest(rows, (at) => !isBefore(times[at], sequences[at], { edge, sequence })) - 1
  }
  return lowest(rows, (at) => isAfter(times[at], sequences[at], { edge, sequence }))
}

type Edge = Pick<FilePlace, 'edge' | 'sequence'>

function isBefore(time = 0n, rowSequence = 0n, { edge, sequence }: Edge): boolean {
  return time < edge || (time === edge && rowSequence < sequence)
}

function isAfter(time = 0n, rowSequence = 0n, { edge, sequence }: Edge): boolean {
  return time > edge || (time === edge && rowSequence > sequence)
}

/** The first index that satisfies a monotonic condition; `length` if none does. */
export function lowest(length: number, condition: (index: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (condition(middle)) high = middle
    else low = middle + 1
  }
  return low
}

function keyAt({ times, sequences }: Block, at: number): { tsEvent: string; sequence: string } {
  return { tsEvent: String(times[at]), sequence: String(sequences[at]) }
}
