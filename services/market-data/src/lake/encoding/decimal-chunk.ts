import { DECIMAL_DIGITS_MAX, digitsOf, fromUnits, toUnits } from '../../decimal-units.ts'

/** Canonical decimals as numbers, each with its scale; as text where one has more digits than a double holds exactly. */
export type DecimalChunk = { mantissas: Float64Array<ArrayBuffer>; scales: Uint8Array<ArrayBuffer> } | string[]

const EXACT_DIGITS_MAX = 15
const [ZERO, NINE, POINT, MINUS] = [48, 57, 46, 45]

/** Decimals as mantissas and scales, or as text where one does not fit into a double. */
export function decimalChunk<T>(records: readonly T[], textOf: (record: T) => string): DecimalChunk {
  const mantissas = new Float64Array(records.length)
  const scales = new Uint8Array(records.length)
  for (const [index, record] of records.entries()) {
    const text = textOf(record)
    const point = text.indexOf('.')
    const scale = point === -1 ? 0 : text.length - point - 1
    const mantissa = mantissaOf(text, scale)
    if (mantissa === undefined) return records.map(textOf)
    mantissas[index] = mantissa
    scales[index] = scale
  }
  return { mantissas, scales }
}

/** Undefined for text that is not canonical or too long: the number must convert back to the same digits. */
function mantissaOf(text: string, scale: number): number | undefined {
  const first = text.charCodeAt(0) === MINUS ? 1 : 0
  const length = text.length - first
  if (length > EXACT_DIGITS_MAX || length === 0 || !isCanonical(text, first, scale)) return undefined
  const mantissa = digitsFrom(text, first, scale)
  return first === 1 && mantissa !== undefined ? -mantissa : mantissa
}

function digitsFrom(text: string, first: number, scale: number): number | undefined {
  const point = text.length - scale - 1
  let mantissa = 0
  for (let at = first; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= ZERO && code <= NINE) mantissa = mantissa * 10 + (code - ZERO)
    else if (code !== POINT || at !== point) return undefined
  }
  return mantissa
}

function isCanonical(text: string, first: number, scale: number): boolean {
  const second = text.charCodeAt(first + 1)
  if (text.charCodeAt(first) === POINT || text.endsWith('.')) return false
  if (text.charCodeAt(first) === ZERO && second !== POINT && first + 1 < text.length) return false
  if (scale > 0 && text.charCodeAt(text.length - 1) === ZERO) return false
  return text !== '-0'
}

export type DecimalColumn = { values: BigInt64Array<ArrayBuffer> | string[]; scale: number | undefined }

/** All values of a day with the smallest common scale; as text if a value needs more than 18 digits. */
export function joinDecimals(chunks: readonly DecimalChunk[]): DecimalColumn {
  const digits = chunks.map(widestOf)
  const whole = Math.max(1, ...digits.map((one) => one.whole))
  const scale = Math.max(0, ...digits.map((one) => one.fraction))
  if (whole + scale > DECIMAL_DIGITS_MAX) return { values: chunks.flatMap(textsOf), scale: undefined }
  const values = new BigInt64Array(chunks.reduce((sum, chunk) => sum + lengthOf(chunk), 0))
  let at = 0
  for (const chunk of chunks) {
    if (Array.isArray(chunk)) for (const [index, text] of chunk.entries()) values[at + index] = toUnits(text, scale)
    else fillUnits(values, at, chunk, scale)
    at += lengthOf(chunk)
  }
  return { values, scale }
}

/** The column re-encoded from its remaining values, independent of the removed ones. */
export function narrowDecimals({ values, scale = 0 }: DecimalColumn): DecimalColumn {
  return joinDecimals([Array.isArray(values) ? values : Array.from(values, (units) => fromUnits(units, scale))])
}

function lengthOf(chunk: DecimalChunk): number {
  return Array.isArray(chunk) ? chunk.length : chunk.mantissas.length
}

const POWERS = Array.from({ length: DECIMAL_DIGITS_MAX + 1 }, (_value, exponent) => 10 ** exponent)
const BIG_POWERS = POWERS.map((_power, exponent) => 10n ** BigInt(exponent))

function fillUnits(
  values: BigInt64Array,
  from: number,
  { mantissas, scales }: Exclude<DecimalChunk, string[]>,
  scale: number,
): void {
  for (let at = 0; at < mantissas.length; at += 1) {
    const mantissa = mantissas[at] ?? 0
    const shift = scale - (scales[at] ?? 0)
    const product = mantissa * (POWERS[shift] ?? 1)
    values[from + at] = Number.isSafeInteger(product) ? BigInt(product) : BigInt(mantissa) * (BIG_POWERS[shift] ?? 1n)
  }
}

type Digits = { whole: number; fraction: number }
const TOO_MANY: Digits = { whole: DECIMAL_DIGITS_MAX + 1, fraction: 0 }

/** Most digits before and after the point, as digitsOf counts them. */
function widestOf(chunk: DecimalChunk): Digits {
  if (Array.isArray(chunk)) {
    return chunk.map((text) => digitsOf(text) ?? TOO_MANY).reduce(widest, { whole: 1, fraction: 0 })
  }
  const { mantissas, scales } = chunk
  let [whole, fraction] = [1, 0]
  for (let at = 0; at < mantissas.length; at += 1) {
    const scale = scales[at] ?? 0
    if (scale > fraction) fraction = scale
    const limit = POWERS[whole + scale] ?? Infinity
    if (Math.abs(mantissas[at] ?? 0) >= limit) whole = String(Math.abs(mantissas[at] ?? 0)).length - scale
  }
  return { whole, fraction }
}

function widest(one: Digits, other: Digits): Digits {
  return { whole: Math.max(one.whole, other.whole), fraction: Math.max(one.fraction, other.fraction) }
}

function textsOf(chunk: DecimalChunk): string[] {
  if (Array.isArray(chunk)) return chunk
  return Array.from(chunk.mantissas, (mantissa, at) => fromUnits(BigInt(mantissa), chunk.scales[at] ?? 0))
}
