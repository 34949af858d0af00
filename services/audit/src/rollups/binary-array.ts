// Arrays in PostgreSQL's binary format (array_send in src/backend/utils/adt/arrayfuncs.c), column by column: neither side converts
// numbers, ids and times to text and back. The type of a parameter has to be exactly that of its array.

const HEADER_BYTES = 20
const LENGTH_BYTES = 4
const NULL_LENGTH = -1
/** Type ids of the elements (src/include/catalog/pg_type.dat). */
const OID = { boolean: 16, bytea: 17, bigint: 20, smallint: 21, integer: 23, text: 25, timestamptz: 1184, uuid: 2950 }
const UUID_BYTES = 16
const WORD = 2 ** 32
const BIGINT_END = 2 ** 63
const INTEGER_END = 2 ** 31
const SMALLINT_END = 2 ** 15
/** PostgreSQL's times begin at 2000-01-01 UTC. */
const EPOCH_MS = 946_684_800_000
const MICROS = 1_000

/** @throws RangeError when a value is not a whole number of the type; as PostgreSQL does for text */
export function bigintArray(values: readonly number[]): Buffer {
  return fixedArray(OID.bigint, 8, values, (into, value, at) => {
    requireWhole(value, BIGINT_END)
    const high = Math.floor(value / WORD)
    into.writeInt32BE(high, at)
    into.writeUInt32BE(value - high * WORD, at + 4)
  })
}

/** @throws RangeError when a value is not a whole number of the type */
export function integerArray(values: readonly number[]): Buffer {
  return fixedArray(OID.integer, 4, values, (into, value, at) => {
    requireWhole(value, INTEGER_END)
    into.writeInt32BE(value, at)
  })
}

/** @throws RangeError when a value is not a whole number of the type */
export function smallintArray(values: readonly number[]): Buffer {
  return fixedArray(OID.smallint, 2, values, (into, value, at) => {
    requireWhole(value, SMALLINT_END)
    into.writeInt16BE(value, at)
  })
}

export function booleanArray(values: readonly boolean[]): Buffer {
  return fixedArray(OID.boolean, 1, values, (into, value, at) => into.writeUInt8(Number(value), at))
}

/** An array of timestamptz from milliseconds since 1970. */
export function instantArray(timesMs: readonly number[]): Buffer {
  return fixedArray(OID.timestamptz, 8, timesMs, (into, timeMs, at) => {
    const micros = (Math.trunc(timeMs) - EPOCH_MS) * MICROS
    requireWhole(micros, BIGINT_END)
    const high = Math.floor(micros / WORD)
    into.writeInt32BE(high, at)
    into.writeUInt32BE(micros - high * WORD, at + 4)
  })
}

/** @throws RangeError when a text is not 32 hexadecimal digits, with or without hyphens */
export function uuidArray(values: readonly string[]): Buffer {
  return fixedArray(OID.uuid, UUID_BYTES, values, writeUuid)
}

export function textArray(values: readonly (string | null)[]): Buffer {
  const lengths = values.map((value) => (value === null ? NULL_LENGTH : Buffer.byteLength(value)))
  return variableArray(OID.text, lengths, (into, n, at) => into.write(values[n] ?? '', at))
}

export function bytesArray(values: readonly Uint8Array[]): Buffer {
  const lengths = values.map(({ length }) => length)
  return variableArray(OID.bytea, lengths, (into, n, at) => values[n] !== undefined && into.set(values[n], at))
}

function fixedArray<T>(
  oid: number,
  bytes: number,
  values: readonly T[],
  write: (into: Buffer, value: T, at: number) => void,
): Buffer {
  const into = Buffer.allocUnsafe(HEADER_BYTES + values.length * (LENGTH_BYTES + bytes))
  let at = writeHeader(into, oid, values.length)
  for (const value of values) {
    into.writeInt32BE(bytes, at)
    write(into, value, at + LENGTH_BYTES)
    at += LENGTH_BYTES + bytes
  }
  return into.subarray(0, at)
}

function variableArray(
  oid: number,
  lengths: readonly number[],
  write: (into: Buffer, n: number, at: number) => void,
): Buffer {
  const bytes = lengths.reduce((sum, length) => sum + LENGTH_BYTES + Math.max(0, length), 0)
  const into = Buffer.allocUnsafe(HEADER_BYTES + bytes)
  let at = writeHeader(into, oid, lengths.length)
  for (const [n, length] of lengths.entries()) {
    into.writeInt32BE(length, at)
    at += LENGTH_BYTES
    if (length <= 0) continue
    write(into, n, at)
    at += length
  }
  return into.subarray(0, at)
}

/** Returns the position of the first element. An empty array has no dimension. */
function writeHeader(into: Buffer, oid: number, count: number): number {
  const [hasNulls, lowerBound] = [1, 1]
  const header = count === 0 ? [0, 0, oid] : [1, hasNulls, oid, count, lowerBound]
  for (const [n, number] of header.entries()) into.writeInt32BE(number, n * LENGTH_BYTES)
  return header.length * LENGTH_BYTES
}

function requireWhole(value: number, end: number): void {
  if (!Number.isInteger(value) || value < -end || value >= end) throw new RangeError(`${value} is out of range`)
}

const HYPHEN = 45
const UUID_DIGITS = 32
const NOT_HEXADECIMAL = 255
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16)
  return Number.isNaN(digit) ? NOT_HEXADECIMAL : digit
})

function writeUuid(into: Buffer, text: string, start: number): void {
  let digits = 0
  for (let n = 0; n < text.length; n += 1) {
    const code = text.charCodeAt(n)
    if (code === HYPHEN) continue
    const digit = DIGITS[code] ?? NOT_HEXADECIMAL
    if (digit === NOT_HEXADECIMAL || digits === UUID_DIGITS) throw new RangeError(`'${text}' is not a UUID`)
    const at = start + (digits >> 1)
    into[at] = digits % 2 === 0 ? digit << 4 : (into[at] ?? 0) | digit
    digits += 1
  }
  if (digits < UUID_DIGITS) throw new RangeError(`'${text}' is not a UUID`)
}
