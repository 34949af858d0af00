import type { ChannelName } from '../../tables.ts'
import { DamagedFile } from '../files/damaged-file.ts'
import { decodeBlock } from '../files/decode-block.ts'
import { createTraitFinder } from '../files/find-traits.ts'
import { type FileRow, LAYOUTS } from '../files/layout.ts'
import { openFile, readGroup } from '../files/open-file.ts'
import { createFileWriter, type WrittenFile } from '../files/write-file.ts'
import { createRowDigest } from './row-digest.ts'
import type { StoredFile } from './stored-trades.ts'

export type RowSource = () => AsyncIterable<FileRow> | Iterable<FileRow>

/**
 * Encodes the rows of a source, which is read twice, and verifies the file by decoding it and comparing every value.
 * @throws DamagedFile if a decoded value differs from the source
 */
export async function buildFile(channel: ChannelName, rows: RowSource): Promise<WrittenFile> {
  const finder = createTraitFinder(channel)
  for await (const row of rows()) finder.add(row)
  const writer = createFileWriter(channel, finder.traits())
  const digest = createRowDigest()
  for await (const row of rows()) {
    writer.add(row)
    digest.add(row)
  }
  const file = writer.finish()
  if ((await digestOf(channel, file)) !== digest.end()) throw new DamagedFile('the new file does not contain its rows')
  return file
}

async function digestOf(channel: ChannelName, { bytes, tailBytes, tailSha256 }: WrittenFile): Promise<string> {
  const ref = { channel, key: 'the new file', bytes: bytes.length, tailBytes, tailSha256 }
  const digest = createRowDigest()
  for await (const row of decodedRows(channel, { ref, bytes })) digest.add(row)
  return digest.end()
}

/** All rows of a file, verified by its checksums. @throws DamagedFile if a checksum differs */
export function storedRows(channel: ChannelName, file: StoredFile): Promise<FileRow[]> {
  return Array.fromAsync(decodedRows(channel, file))
}

async function* decodedRows(channel: ChannelName, { ref, bytes }: StoredFile): AsyncGenerator<FileRow> {
  const readRange = async (from: number, to: number) => bytes.slice(from, to).buffer
  const opened = await openFile(ref, readRange)
  // Compares the stored representation of every column.
  const file = { ...opened, traits: { ...opened.traits, constants: new Map() } }
  const { rowsPerBlock } = LAYOUTS[channel]
  for (const group of file.groups) {
    const groupBytes = await readGroup(file, group, readRange)
    for (let from = 0; from < group.rows; from += rowsPerBlock) {
      const range = { from, to: Math.min(group.rows, from + rowsPerBlock) }
      const block = await decodeBlock(file, group, groupBytes, range)
      for (let row = 0; row < block.rows; row += 1) yield block.columns.map((text) => text(row))
    }
  }
}
