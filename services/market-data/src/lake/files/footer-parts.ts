/** A row group in the bytes of a footer. */
export type GroupPart = { from: number; to: number; rows: number; compressedBytes: number }

/** Where the parts of a footer lie, found without making values of them: most reads need one row group of many. */
export type FooterParts = {
  /** Version, schema and number of rows: everything before the row groups. */
  head: { from: number; to: number }
  rows: number
  groups: GroupPart[]
  /** Everything after the row groups. */
  rest: { from: number; to: number }
}

/** Of Thrift's compact protocol. */
const TYPE = {
  stop: 0,
  true: 1,
  false: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  set: 10,
  struct: 12,
}
const FILE = { rows: 3, groups: 4 }
const GROUP = { rows: 3, compressedBytes: 6 }
const LONG_LIST = 15
const DOUBLE_BYTES = 8
const VARINT_MORE = 0x80
const VARINT_BITS = 0x7f

type Place = { bytes: Uint8Array; at: number }

/** Throws a RangeError for bytes that are no footer. */
export function findFooterParts(bytes: Uint8Array): FooterParts {
  const place = { bytes, at: 0 }
  let rows = 0
  let groups: GroupPart[] = []
  let head = { from: 0, to: 0 }
  let rest = { from: 0, to: 0 }
  forEachField(place, (field, type, from) => {
    if (field === FILE.rows) rows = readInteger(place)
    else if (field === FILE.groups) {
      head = { from: 0, to: from }
      groups = readGroups(place)
      rest = { from: place.at, to: bytes.length }
    } else skip(place, type)
  })
  return { head, rows, groups, rest }
}

function readGroups(place: Place): GroupPart[] {
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

/** `from` is where the field's head begins; `visit` reads or skips its value. */
function forEachField(place: Place, visit: (field: number, type: number, from: number) => void): void {
  let field = 0
  for (;;) {
    const from = place.at
    const byte = next(place)
    const type = byte & 0x0f
    if (type === TYPE.stop) return
    const delta = byte >> 4
    field = delta === 0 ? readInteger(place) : field + delta
    visit(field, type, from)
  }
}

const SKIPS: Readonly<Record<number, (place: Place) => void>> = {
  [TYPE.true]: () => {},
  [TYPE.false]: () => {},
  [TYPE.byte]: (place) => void (place.at += 1),
  [TYPE.i16]: skipVarint,
  [TYPE.i32]: skipVarint,
  [TYPE.i64]: skipVarint,
  [TYPE.double]: (place) => void (place.at += DOUBLE_BYTES),
  [TYPE.binary]: skipBytes,
  [TYPE.list]: skipList,
  [TYPE.set]: skipList,
  [TYPE.struct]: skipStruct,
}

function skip(place: Place, type: number): void {
  const one = SKIPS[type]
  if (one === undefined) throw new RangeError(`a footer has no fields of type ${type}`)
  one(place)
}

function skipBytes(place: Place): void {
  const length = readVarint(place)
  place.at += length
}

function skipStruct(place: Place): void {
  for (;;) {
    const byte = next(place)
    const type = byte & 0x0f
    if (type === TYPE.stop) return
    if (byte >> 4 === 0) skipVarint(place)
    skip(place, type)
  }
}

function skipList(place: Place): void {
  const { length, type } = readListHead(place)
  const isBoolean = type === TYPE.true || type === TYPE.false
  for (let index = 0; index < length; index += 1) skip(place, isBoolean ? TYPE.byte : type)
}

function readListHead(place: Place): { length: number; type: number } {
  const byte = next(place)
  const length = byte >> 4
  return { length: length === LONG_LIST ? readVarint(place) : length, type: byte & 0x0f }
}

function next(place: Place): number {
  const byte = place.bytes[place.at]
  if (byte === undefined) throw new RangeError('the footer ends too early')
  place.at += 1
  return byte
}

function skipVarint(place: Place): void {
  while ((next(place) & VARINT_MORE) !== 0);
}

/** Sizes and counts are far below 2^53. */
function readVarint(place: Place): number {
  let value = 0
  let factor = 1
  for (;;) {
    const byte = next(place)
    value += (byte & VARINT_BITS) * factor
    if ((byte & VARINT_MORE) === 0) return value
    factor *= VARINT_MORE
  }
}

/** A zigzag integer that is not negative. */
function readInteger(place: Place): number {
  return readVarint(place) / 2
}

/** The field of the row groups, as it follows that of the number of rows: a list of structs, with one or none. */
const GROUP_LIST = { one: [0x19, 0x1c], none: [0x19, 0x0c] }
const END = Uint8Array.of(TYPE.stop)
const MAGIC = new TextEncoder().encode('PAR1')
const LENGTH_BYTES = 4

/** The end of a Parquet file with this row group alone; without one, with what the footer has beside row groups. */
export function footerOf(bytes: Uint8Array, { head, rest }: FooterParts, group: GroupPart | undefined): ArrayBuffer {
  const list = Uint8Array.from(group === undefined ? GROUP_LIST.none : GROUP_LIST.one)
  const body = group === undefined ? [bytes.subarray(rest.from, rest.to)] : [bytes.subarray(group.from, group.to), END]
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
