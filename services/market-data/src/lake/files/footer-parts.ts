import { forEachField, readInteger, readListHead, skip, STOP, type ThriftPlace } from './thrift.ts'

/** A row group in the bytes of a footer. */
export type GroupPart = { from: number; to: number; rows: number; compressedBytes: number }

/** Locates the parts of a footer without parsing them, because most reads need one row group of many. */
export type FooterParts = {
  /** Version, schema and number of rows: everything before the row groups. */
  head: { from: number; to: number }
  rows: number
  groups: GroupPart[]
  /** Everything after the row groups. */
  tail: { from: number; to: number }
}

const FILE = { rows: 3, groups: 4 }
const GROUP = { rows: 3, compressedBytes: 6 }

/** @throws RangeError if the bytes are not a footer */
export function findFooterParts(bytes: Uint8Array): FooterParts {
  const place = { bytes, at: 0 }
  let rows = 0
  let groups: GroupPart[] = []
  let head = { from: 0, to: 0 }
  let tail = { from: 0, to: 0 }
  forEachField(place, (field, type, from) => {
    if (field === FILE.rows) rows = readInteger(place)
    else if (field === FILE.groups) {
      head = { from: 0, to: from }
      groups = readGroups(place)
      tail = { from: place.at, to: bytes.length }
    } else skip(place, type)
  })
  return { head, rows, groups, tail }
}

function readGroups(place: ThriftPlace): GroupPart[] {
  return Array.from({ length: readListHead(place).length }, () => {
    const from = place.at
    let [rows, compressedBytes] = [0, -1]
    forEachField(place, (field, type) => {
      if (field === GROUP.rows) rows = readInteger(place)
      else if (field === GROUP.compressedBytes) compressedBytes = readInteger(place)
      else skip(place, type)
    })
    return { from, to: place.at, rows, compressedBytes }
  })
}

/** The field of the row groups, as it follows that of the number of rows: a list of structs, with one or none. */
const GROUP_LIST = { one: [0x19, 0x1c], none: [0x19, 0x0c] }
const END = Uint8Array.of(STOP)
const MAGIC = new TextEncoder().encode('PAR1')
const LENGTH_BYTES = 4

/** The end of a Parquet file with this row group alone; without one, with what the footer has beside row groups. */
export function footerOf(bytes: Uint8Array, { head, tail }: FooterParts, group: GroupPart | undefined): ArrayBuffer {
  const list = Uint8Array.from(group === undefined ? GROUP_LIST.none : GROUP_LIST.one)
  const body = group === undefined ? [bytes.subarray(tail.from, tail.to)] : [bytes.subarray(group.from, group.to), END]
  const parts = [bytes.subarray(head.from, head.to), list, ...body]
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const all = new Uint8Array(length + LENGTH_BYTES + MAGIC.length)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  new DataView(all.buffer).setUint32(length, length, true)
  all.set(MAGIC, length + LENGTH_BYTES)
  return all.buffer
}
