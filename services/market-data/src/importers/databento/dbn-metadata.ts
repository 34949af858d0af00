/** Beginning of a DBN file of version 1 to 3, https://databento.com/docs/standards-and-conventions/databento-binary-encoding */
export type DbnMetadata = {
  dataset: string
  schema: number
  /** Bytes from the start of the file to the first record. */
  length: number
  /** The venue's symbol of an instrument id at a time in nanoseconds; undefined when the file names none. */
  symbolAt: (instrumentId: number, tsEvent: bigint) => string | undefined
}

export const DBN_SCHEMAS = { trades: 4, 'mbp-1': 1, 'mbp-10': 2 } as const
export type DbnSchema = keyof typeof DBN_SCHEMAS

const MAGIC = 'DBN'
const VERSION_MAX = 3
const PRELUDE_BYTES = 8
const DATASET_BYTES = 16
const SYMBOL_BYTES_V1 = 22
const RESERVED = { v1: 47, later: 53 }
const STYPE = { instrumentId: 0, rawSymbol: 1 }
const SCHEMA_AT = PRELUDE_BYTES + DATASET_BYTES

/** The schema of a DBN file by its first bytes; undefined for any other file and for schemas that are not imported. */
export function schemaOf(bytes: Buffer): DbnSchema | undefined {
  const isDbn = bytes.length > SCHEMA_AT + 2 && bytes.subarray(0, MAGIC.length).toString('latin1') === MAGIC
  const version = bytes[MAGIC.length] ?? 0
  if (!isDbn || version < 1 || version > VERSION_MAX) return undefined
  const schema = bytes.readUInt16LE(SCHEMA_AT)
  const names: DbnSchema[] = ['trades', 'mbp-1', 'mbp-10']
  return names.find((name) => DBN_SCHEMAS[name] === schema)
}

/** Bytes of the metadata with the eight before it; the file must begin with at least these eight. */
export function metadataLength(bytes: Buffer): number {
  return PRELUDE_BYTES + bytes.readUInt32LE(MAGIC.length + 1)
}

type Cursor = { bytes: Buffer; at: number; symbolBytes: number }

/** Throws an Error that names the unsupported feature, or a RangeError when the bytes end early. */
export function parseMetadata(bytes: Buffer): DbnMetadata {
  const version = bytes[MAGIC.length] ?? 0
  const dataset = textOf(bytes.subarray(PRELUDE_BYTES, SCHEMA_AT))
  const schema = bytes.readUInt16LE(SCHEMA_AT)
  // After the schema: start, end and limit; version 1 also counts the records.
  let at = SCHEMA_AT + 2 + 3 * 8 + (version === 1 ? 8 : 0)
  const [stypeIn, stypeOut] = [bytes[at], bytes[at + 1]]
  at += 3
  const symbolBytes = version === 1 ? SYMBOL_BYTES_V1 : bytes.readUInt16LE(at)
  at += version === 1 ? RESERVED.v1 : 2 + RESERVED.later
  at += 4 + bytes.readUInt32LE(at)
  const cursor: Cursor = { bytes, at, symbolBytes }
  // Requested symbols, partly found and not found.
  for (let list = 0; list < 3; list += 1) cursor.at += 4 + bytes.readUInt32LE(cursor.at) * symbolBytes
  const mappings = readMappings(cursor)
  const isByName = stypeIn === STYPE.rawSymbol && stypeOut === STYPE.instrumentId
  if (!isByName && !(stypeIn === STYPE.instrumentId && stypeOut === STYPE.rawSymbol)) {
    throw new Error('does not name its instruments: request it by raw_symbol or instrument_id')
  }
  const named = mappings.map(({ input, output, ...dates }): Interval => {
    const [id, symbol] = isByName ? [output, input] : [input, output]
    return { id: Number(id), symbol, ...dates }
  })
  return { dataset, schema, length: metadataLength(bytes), symbolAt: createLookUp(named) }
}

type Dates = { startDate: number; endDate: number }
type Mapping = Dates & { input: string; output: string }
type Interval = Dates & { id: number; symbol: string }

function readMappings(cursor: Cursor): Mapping[] {
  const mappings: Mapping[] = []
  for (let count = readCount(cursor); count > 0; count -= 1) {
    const input = readSymbol(cursor)
    for (let intervals = readCount(cursor); intervals > 0; intervals -= 1) {
      const [startDate, endDate] = [readCount(cursor), readCount(cursor)]
      mappings.push({ input, output: readSymbol(cursor), startDate, endDate })
    }
  }
  return mappings
}

function readCount(cursor: Cursor): number {
  cursor.at += 4
  return cursor.bytes.readUInt32LE(cursor.at - 4)
}

function readSymbol(cursor: Cursor): string {
  const { bytes, at, symbolBytes } = cursor
  if (at + symbolBytes > bytes.length) throw new RangeError('its metadata ends early')
  cursor.at += symbolBytes
  return textOf(bytes.subarray(at, at + symbolBytes))
}

function textOf(bytes: Buffer): string {
  return bytes.toString('utf8').split('\0', 1)[0] ?? ''
}

const NS_PER_DAY = 86_400_000_000_000n

/** Dates are yyyymmdd, the end exclusive. */
function createLookUp(intervals: readonly Interval[]): DbnMetadata['symbolAt'] {
  const byId = Map.groupBy(intervals, ({ id }) => id)
  const cache = new Map<string, string | undefined>()
  return (instrumentId, tsEvent) => {
    const day = tsEvent / NS_PER_DAY
    const key = `${instrumentId} ${day}`
    if (cache.has(key)) return cache.get(key)
    const date = Number(new Date(Number(day) * 86_400_000).toISOString().slice(0, 10).replaceAll('-', ''))
    const found = byId.get(instrumentId)?.find(({ startDate, endDate }) => date >= startDate && date < endDate)
    cache.set(key, found?.symbol)
    return found?.symbol
  }
}
