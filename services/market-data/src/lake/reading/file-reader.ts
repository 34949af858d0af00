import { type Block, decodeBlock } from '../files/decode-block.ts'
import { LAYOUTS } from '../files/layout.ts'
import { type FileRef, type OpenFile, openFile, readGroup } from '../files/open-file.ts'
import type { ObjectStore } from '@tapeline/objects/object-store'
import { createByteCache } from './byte-cache.ts'

/** Reads sealed files through a bounded cache. */
export type FileReader = {
  open: (ref: FileRef) => Promise<OpenFile>
  /** Blocks are counted from the beginning of the file. */
  block: (file: OpenFile, index: number) => Promise<Block>
}

/** Shares of the memory: footers, compressed row groups, decoded blocks. */
const FOOTER_SHARE = 0.15
const GROUP_SHARE = 0.25
const BLOCK_SHARE = 0.6
/** Parsed row groups take more memory than their bytes. */
const FOOTER_FACTOR = 2

export function createFileReader(store: ObjectStore, memoryBytes: number): FileReader {
  const footers = createByteCache<OpenFile>(memoryBytes * FOOTER_SHARE, ({ tail }) => tail.byteLength * FOOTER_FACTOR)
  const groups = createByteCache<ArrayBuffer>(memoryBytes * GROUP_SHARE, ({ byteLength }) => byteLength)
  const blocks = createByteCache<Block>(memoryBytes * BLOCK_SHARE, ({ bytes }) => bytes)

  const readRange = (ref: FileRef) => (from: number, to: number) => store.getRange(ref.key, from, to)

  return {
    open: (ref) => footers.get(ref.key, () => openFile(ref, readRange(ref))),
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
