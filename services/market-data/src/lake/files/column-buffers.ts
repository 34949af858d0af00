import type { DecodedArray, Encoding, SchemaElement } from 'hyparquet'
import type { ColumnSource } from 'hyparquet-writer'
import type { Level } from '../../store/record.ts'
import { DECIMAL_DIGITS_MAX, toUnits } from '../../decimal-units.ts'
import { scanLevels, unitsOf } from './scan-levels.ts'
import { AT, type ColumnKind, type ColumnSpec, type FileRow, type Traits } from './layout.ts'

/** Collects one column of a row group in the form that the Parquet writer accepts. */
export type ColumnBuffer = {
  schema: SchemaElement[]
  push: (text: string | null, row: FileRow) => void
  /** The columns of the group; empties the buffer. */
  take: () => ColumnSource[]
}

/**
 * Minimum and maximum of each page, for engines that skip pages by time or price; they cost one comparison per value.
 */
const INDEXES = { columnIndex: true, offsetIndex: true }
/** Columns with few distinct values have no bounds, because no page could be skipped. */
const PLACES_ONLY = { offsetIndex: true, statistics: false }
/** Up to this share of distinct values, a dictionary is smaller than deltas. */
const DISTINCT_SHARE_MAX = 1 / 16

type Repetition = 'REQUIRED' | 'OPTIONAL'
type EncodingChoice = { encoding?: Encoding }
const DELTA: EncodingChoice = { encoding: 'DELTA_BINARY_PACKED' }
const PREFIXED: EncodingChoice = { encoding: 'DELTA_BYTE_ARRAY' }
/** Encodings of values that are not a BigInt64Array. */
const CHOICES: Partial<Record<ColumnKind, EncodingChoice>> = {
  int64: DELTA,
  'receive-time': DELTA,
  id: PREFIXED,
  text: PREFIXED,
}

type Make = (column: ColumnSpec, traits: Traits, capacity: number) => ColumnBuffer

const MAKERS: Record<ColumnKind, Make> = {
  int64: (column, _traits, capacity) =>
    column.isNullable === true
      ? valueColumn(int64Element(column), (text) => (text === null ? null : BigInt(text)), DELTA)
      : int64Column(int64Element(column), capacity, toBigInt),
  'receive-time': ({ name }, { hasReceiveTimes }) =>
    valueColumn(int64Element(hasReceiveTimes === true ? { name } : { name, isNullable: true }), otherTime, DELTA),
  int32: (column) => valueColumn(int32Element(column), (text) => (text === null ? null : Number(text))),
  boolean: ({ name }) => valueColumn({ name, type: 'BOOLEAN', repetition_type: 'REQUIRED' }, (text) => text === 't'),
  price: (column, { priceScale }, capacity) => decimalColumn(column, capacity, priceScale),
  size: (column, { sizeScale }, capacity) => decimalColumn(column, capacity, sizeScale),
  id: (column, { hasNumericIds }, capacity) =>
    hasNumericIds
      ? int64Column(int64Element(column), capacity, toBigInt)
      : valueColumn(textElement(column), asText, PREFIXED),
  'venue-id': (column, { hasNumericVenueIds }) =>
    hasNumericVenueIds === true
      ? valueColumn(int64Element(column), (text) => (text === null ? null : BigInt(text)), DELTA)
      : valueColumn(textElement(column), asText, PREFIXED),
  text: (column) => valueColumn(textElement(column), asText, PREFIXED),
  word: (column) => valueColumn(textElement(column), asText),
  levels: levelsColumn,
}

export function createColumnBuffer(column: ColumnSpec, capacity: number, traits: Traits): ColumnBuffer {
  return MAKERS[column.kind](column, traits, capacity)
}

/** A column of a row group whose values have their final type; not for levels. */
export function columnSource({ name, kind }: Pick<ColumnSpec, 'name' | 'kind'>, data: DecodedArray): ColumnSource {
  if (kind === 'receive-time' || !(data instanceof BigInt64Array)) {
    return { name, data, ...CHOICES[kind], ...PLACES_ONLY }
  }
  return { name, data, ...(hasFewValues(data) ? { encoding: 'RLE_DICTIONARY' } : DELTA), ...INDEXES }
}

const toBigInt = (text: string | null) => BigInt(text ?? '0')
const asText = (text: string | null) => text

function otherTime(text: string | null, row: FileRow): bigint | null {
  return text === null || text === row[AT.tsEvent] ? null : BigInt(text)
}

function repetitionOf({ isNullable }: Pick<ColumnSpec, 'isNullable'>): Repetition {
  return isNullable === true ? 'OPTIONAL' : 'REQUIRED'
}

type Named = Pick<ColumnSpec, 'name' | 'isNullable'>

function int64Element(column: Named): SchemaElement {
  return { name: column.name, type: 'INT64', repetition_type: repetitionOf(column) }
}

function int32Element(column: Named): SchemaElement {
  return { name: column.name, type: 'INT32', repetition_type: repetitionOf(column) }
}

function textElement(column: Named): SchemaElement {
  return { name: column.name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: repetitionOf(column) }
}

function decimalElement(column: Named, scale: number): SchemaElement {
  return { ...int64Element(column), converted_type: 'DECIMAL', precision: DECIMAL_DIGITS_MAX, scale }
}

function decimalColumn(column: Named, capacity: number, scale: number | undefined): ColumnBuffer {
  if (scale === undefined) return valueColumn(textElement(column), asText)
  return int64Column(decimalElement(column, scale), capacity, (text) => toUnits(text ?? '0', scale))
}

function int64Column(element: SchemaElement, capacity: number, convert: (text: string | null) => bigint): ColumnBuffer {
  let data = new BigInt64Array(capacity)
  let length = 0
  return {
    schema: [element],
    push(text) {
      data[length] = convert(text)
      length += 1
    },
    take() {
      const taken = data.subarray(0, length)
      data = new BigInt64Array(capacity)
      length = 0
      return [columnSource({ name: element.name, kind: 'int64' }, taken)]
    },
  }
}

/** Stops counting at the limit. */
function hasFewValues(values: BigInt64Array): boolean {
  const most = values.length * DISTINCT_SHARE_MAX
  const seen = new Set<bigint>()
  for (const value of values) {
    seen.add(value)
    if (seen.size > most) return false
  }
  return true
}

function valueColumn(
  element: SchemaElement,
  convert: (text: string | null, row: FileRow) => unknown,
  choice: EncodingChoice = {},
): ColumnBuffer {
  let data: unknown[] = []
  return {
    schema: [element],
    push: (text, row) => void data.push(convert(text, row)),
    take() {
      const taken = data
      data = []
      return [{ name: element.name, data: taken, ...choice, ...PLACES_ONLY }]
    },
  }
}

/** Two lists per row. Sizes repeat, so they are dictionary-encoded if that is smaller. */
function levelsColumn({ name }: ColumnSpec, { priceScale, sizeScale }: Traits): ColumnBuffer {
  const isText = priceScale === undefined || sizeScale === undefined
  // Text that is not a list of canonical decimals is kept as it is.
  if (isText) return valueColumn(textElement({ name }), asText)
  const [priceName, sizeName] = [`${name}_price`, `${name}_size`]
  let prices: bigint[][] = []
  let sizes: bigint[][] = []
  return {
    schema: [...listElements(priceName, priceScale), ...listElements(sizeName, sizeScale)],
    push(text) {
      const scanned = scanLevels(text ?? '[]')
      if (scanned !== undefined) {
        prices.push(unitsOf(scanned, 0, priceScale))
        sizes.push(unitsOf(scanned, 1, sizeScale))
        return
      }
      const levels: Level[] = JSON.parse(text ?? '[]')
      prices.push(levels.map(([price]) => toUnits(price, priceScale)))
      sizes.push(levels.map(([, size]) => toUnits(size, sizeScale)))
    },
    take() {
      const taken: ColumnSource[] = [
        { name: priceName, data: prices, ...DELTA, ...PLACES_ONLY },
        { name: sizeName, data: sizes, ...PLACES_ONLY },
      ]
      prices = []
      sizes = []
      return taken
    },
  }
}

function listElements(name: string, scale: number): SchemaElement[] {
  return [
    { name, repetition_type: 'REQUIRED', num_children: 1, converted_type: 'LIST' },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    decimalElement({ name: 'element' }, scale),
  ]
}
