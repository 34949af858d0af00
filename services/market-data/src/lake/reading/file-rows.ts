import type { Block } from '../files/decode-block.ts'
import type { FileRow } from '../files/layout.ts'
import type { OpenFile } from '../files/open-file.ts'
import type { SealedFile } from '../manifest-queries.ts'
import type { FileReader } from './file-reader.ts'

export type TimeRange = { start: bigint; end: bigint }

/** The rows of a file in a time range, in file order. */
export async function* fileRows(reader: FileReader, { ref }: SealedFile, range: TimeRange): AsyncGenerator<FileRow> {
  const file = await reader.open(ref)
  for (const index of blocksIn(file, range)) yield* rowsIn(await reader.block(file, index), range)
}

/** Blocks that may have rows of the range. */
function* blocksIn({ blockKeys }: OpenFile, { start, end }: TimeRange): Generator<number> {
  const firstTimes = blockKeys.filter((_key, index) => index % 2 === 0)
  for (const [index, first] of firstTimes.entries()) {
    const next = firstTimes[index + 1]
    if (first < end && (next === undefined || next >= start)) yield index
  }
}

function* rowsIn({ rows, times, columns }: Block, { start, end }: TimeRange): Generator<FileRow> {
  for (let at = 0; at < rows; at += 1) {
    const time = times[at] ?? 0n
    if (time >= start && time < end) yield columns.map((text) => text(at))
  }
}
