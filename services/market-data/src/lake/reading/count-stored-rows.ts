import { countRows, type CountedRange } from '../../records/record-queries.ts'
import { LAYOUTS } from '../files/layout.ts'
import type { SealedFile } from '../manifest-queries.ts'
import type { FileReader } from './file-reader.ts'
import type { Stores } from './list-stored-rows.ts'
import { problemOfFile } from './problem-of-file.ts'
import { lowest } from './scan-file.ts'
import { type Segment, segmentsOf } from './segments.ts'

/** Maximum number of rows of a segment in PostgreSQL that are counted exactly. */
const COUNTED_MAX = 1_000_000

/** Rows of a time range, wherever they are stored; not exact where PostgreSQL has more than a million of them. */
export async function countStoredRows(
  stores: Stores,
  range: CountedRange,
): Promise<{ rows: number; isExact: boolean }> {
  const { channel, start, end } = range
  const filter = { order: 'asc', time_format: 'unix_ns', start: String(start), end: String(end) } as const
  const scan = { channel, instrumentIds: [...range.instrumentIds], filter, after: undefined }
  let rows = 0
  let isExact = true
  for await (const segment of segmentsOf(stores.lake.manifest, scan)) {
    for (const file of segment.files) rows += await countFileRows(stores.lake.reader, file, segment)
    const sealed = new Set(segment.files.map(({ instrumentId }) => instrumentId))
    const instrumentIds = range.instrumentIds.filter((id) => !sealed.has(id))
    if (instrumentIds.length === 0) continue
    const hot = { channel, instrumentIds, start: segment.start, end: segment.end }
    const counted = await countRows(stores.pool, hot, COUNTED_MAX)
    if (counted === COUNTED_MAX) isExact = false
    rows += counted
  }
  return { rows, isExact }
}

async function countFileRows(reader: FileReader, file: SealedFile, { start, end }: Segment): Promise<number> {
  if (start <= BigInt(file.tsMin) && BigInt(file.tsMax) < end) return file.rows
  try {
    return (await rowsBefore(reader, file, end)) - (await rowsBefore(reader, file, start))
  } catch (error) {
    throw problemOfFile(file, error)
  }
}

/** Rows of a file that are earlier than a time: a search among the first rows of its blocks, then in one block. */
async function rowsBefore(reader: FileReader, { ref }: SealedFile, time: bigint): Promise<number> {
  const file = await reader.open(ref)
  const later = lowest(file.blockKeys.length / 2, (block) => (file.blockKeys[2 * block] ?? 0n) >= time)
  if (later === 0) return 0
  const { times, rows } = await reader.block(file, later - 1)
  return (later - 1) * LAYOUTS[ref.channel].rowsPerBlock + lowest(rows, (at) => (times[at] ?? 0n) >= time)
}
