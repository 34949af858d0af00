/** Values of Thrift's compact protocol (THRIFT-110), read in place: skipped values create no objects. */
export type ThriftPlace = { bytes: Uint8Array; at: number }

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
const LONG_LIST = 15
const DOUBLE_BYTES = 8
const VARINT_MORE = 0x80
const VARINT_BITS = 0x7f

/** Ends a struct. */
export const STOP = TYPE.stop

/** `from` is where the field's head begins; `visit` reads or skips its value. */
export function forEachField(place: ThriftPlace, visit: (field: number, type: number, from: number) => void): void {
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

const SKIPS: Readonly<Record<number, (place: ThriftPlace) => void>> = {
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

export function skip(place: ThriftPlace, type: number): void {
  const one = SKIPS[type]
  if (one === undefined) throw new RangeError(`a footer has no fields of type ${type}`)
  one(place)
}

function skipBytes(place: ThriftPlace): void {
  const length = readVarint(place)
  place.at += length
}

function skipStruct(place: ThriftPlace): void {
  for (;;) {
    const byte = next(place)
    const type = byte & 0x0f
    if (type === TYPE.stop) return
    if (byte >> 4 === 0) skipVarint(place)
    skip(place, type)
  }
}

function skipList(place: ThriftPlace): void {
  const { length, type } = readListHead(place)
  const isBoolean = type === TYPE.true || type === TYPE.false
  for (let index = 0; index < length; index += 1) skip(place, isBoolean ? TYPE.byte : type)
}

export function readListHead(place: ThriftPlace): { length: number; type: number } {
  const byte = next(place)
  const length = byte >> 4
  return { length: length === LONG_LIST ? readVarint(place) : length, type: byte & 0x0f }
}

function next(place: ThriftPlace): number {
  const byte = place.bytes[place.at]
  if (byte === undefined) throw new RangeError('the footer ends too early')
  place.at += 1
  return byte
}

function skipVarint(place: ThriftPlace): void {
  while ((next(place) & VARINT_MORE) !== 0);
}

/** Sizes and counts are far below 2^53. */
export function readVarint(place: ThriftPlace): number {
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
export function readInteger(place: ThriftPlace): number {
  return readVarint(place) / 2
}
