import { type Block, decodeBlock } from '../files/decode-block.ts'
import { LAYOUTS } from '../files/layout.ts'
import {
  type FileRef,
  type OpenFile,
  openFile,
  type ReadRange,
  readGroup,
  storedColumns,
  withoutFooter,
} from '../files/open-file.ts'
import type { ObjectStore } from '@tapeline/objects/object-store'
import { createByteCache } from './byte-cache.ts'

/** Reads sealed files through a bounded cache. */
export type FileReader = {
  open: (ref: FileRef) => Promise<OpenFile>
  /** Blocks are counted from the beginning of the file. */
  block: (file: OpenFile, index: number) => Promise<Block>
}

/** Shares of the memory: open files, compressed row groups, decoded blocks. */
const FILE_SHARE = 0.25
const GROUP_SHARE = 0.15
const BLOCK_SHARE = 0.6
/** Parsed row groups take more memory than their bytes. */
const FOOTER_FACTOR = 2
/** Memory of an open file without its footer, in addition to its keys and page positions. */
const FILE_BYTES = 2_048
const GROUP_BYTES = 96

export function createFileReader(store: ObjectStore, memoryBytes: number): FileReader {
  const files = createByteCache<CachedFile>(memoryBytes * FILE_SHARE, ({ bytes }) => bytes)
  const groups = createByteCache<ArrayBuffer>(memoryBytes * GROUP_SHARE, ({ byteLength }) => byteLength)
  const blocks = createByteCache<Block>(memoryBytes * BLOCK_SHARE, ({ bytes }) => bytes)

  const readRange = (ref: FileRef) => (from: number, to: number) => store.getRange(ref.key, from, to)

  return {
    open: async (ref) => (await files.get(ref.key, () => openCached(ref, readRange(ref)))).file,
    async block(file, index) {
      const { key, channel } = file.ref
      const { rowsPerGroup, rowsPerBlock } = LAYOUTS[channel]
      return blocks.get(`${key} ${index}`, async () => {
        const groupIndex = Math.floor((index * rowsPerBlock) / rowsPerGroup)
        const group = file.groups[groupIndex]
        if (group === undefined) throw new RangeError(`${key} has no block ${index}`)
        const bytes = await groups.get(`${key} ${groupIndex}`, () => readGroup(file, group, readRange(file.ref)))
        const from = index * rowsPerBlock - group.firstRow
        const range = { from, to: Math.min(group.rows, from + rowsPerBlock) }
        return decodeBlock(file, group, bytes, range)
      })
    },
  }
}

type CachedFile = { file: OpenFile; bytes: number }

/** Most trades have neither nulls nor lists: their files are kept without the footer, in a tenth of its memory. */
async function openCached(ref: FileRef, readRange: ReadRange): Promise<CachedFile> {
  const file = await openFile(ref, readRange)
  const { blockKeys, places, groups } = file
  const bytes = FILE_BYTES + blockKeys.byteLength + places.bytes + groups.length * GROUP_BYTES
  if (storedColumns(file).every((name) => places.names.has(name))) {
    return { file: withoutFooter(file, readRange), bytes }
  }
  return { file, bytes: bytes + ref.tailBytes * FOOTER_FACTOR }
}
