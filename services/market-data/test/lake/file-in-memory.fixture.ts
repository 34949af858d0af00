import type { ChannelName } from '../../src/tables.ts'
import { decodeBlock } from '../../src/lake/files/decode-block.ts'
import { createTraitFinder } from '../../src/lake/files/find-traits.ts'
import { type FileRow, LAYOUTS } from '../../src/lake/files/layout.ts'
import { type FileRef, openFile, readGroup } from '../../src/lake/files/open-file.ts'
import { createFileWriter, type WrittenFile } from '../../src/lake/files/write-file.ts'

export function writeRows(channel: ChannelName, rows: readonly FileRow[]): WrittenFile {
  const finder = createTraitFinder(channel)
  for (const row of rows) finder.add(row)
  const writer = createFileWriter(channel, finder.traits())
  for (const row of rows) writer.add(row)
  return writer.finish()
}

export function refOf(channel: ChannelName, file: WrittenFile): FileRef {
  return {
    channel,
    key: 'v1/some.parquet',
    bytes: file.bytes.length,
    tailBytes: file.tailBytes,
    tailSha256: file.tailSha256,
  }
}

/** Every row, decoded block by block. */
export async function readRows(channel: ChannelName, file: WrittenFile, bytes = file.bytes): Promise<FileRow[]> {
  const readRange = async (from: number, to: number) => bytes.slice(from, to).buffer
  const opened = await openFile(refOf(channel, file), readRange)
  const { rowsPerBlock } = LAYOUTS[channel]
  const rows: FileRow[] = []
  for (const group of opened.groups) {
    const groupBytes = await readGroup(opened, group, readRange)
    for (let from = 0; from < group.rows; from += rowsPerBlock) {
      const range = { from, to: Math.min(group.rows, from + rowsPerBlock) }
      const block = await decodeBlock(opened, group, groupBytes, range)
      for (let row = 0; row < block.rows; row += 1) rows.push(block.columns.map((text) => text(row)))
    }
  }
  return rows
}
