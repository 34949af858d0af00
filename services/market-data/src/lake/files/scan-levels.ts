const [QUOTE, POINT, MINUS, ZERO, NINE, COMMA, OPEN, CLOSE] = [34, 46, 45, 48, 57, 44, 91, 93]
/** Decimal digits that a double represents exactly. */
const DIGITS_MAX = 15
const CAPACITY = 1_024

/**
 * Prices and sizes of a JSON list of levels, `[["61837.6","0.02"],…]`, without making its strings: value n is
 * `mantissas[n]` × 10^-`scales[n]`, the price of level i at 2i and its size at 2i + 1.
 */
export type ScannedLevels = {
  mantissas: Float64Array
  scales: Uint8Array
  values: number
  /** Most digits before and after the point, of prices and of sizes. */
  priceWhole: number
  priceFraction: number
  sizeWhole: number
  sizeFraction: number
}

const scanned: ScannedLevels = {
  mantissas: new Float64Array(CAPACITY),
  scales: new Uint8Array(CAPACITY),
  values: 0,
  priceWhole: 0,
  priceFraction: 0,
  sizeWhole: 0,
  sizeFraction: 0,
}

/**
 * Returns a shared object that the next call overwrites. Undefined for text that is not exactly of this form, or has a
 * decimal that is not canonical or longer than 15 digits.
 */
export function scanLevels(text: string): ScannedLevels | undefined {
  Object.assign(scanned, { values: 0, priceWhole: 0, priceFraction: 0, sizeWhole: 0, sizeFraction: 0 })
  if (text === '[]') return scanned
  if (text.charCodeAt(0) !== OPEN) return undefined
  let at = scanLevel(text, 1)
  while (text.charCodeAt(at) === COMMA) at = scanLevel(text, at + 1)
  return text.charCodeAt(at) === CLOSE && at === text.length - 1 ? scanned : undefined
}

const FAULT = -1

/** The position after the level. */
function scanLevel(text: string, from: number): number {
  if (text.charCodeAt(from) !== OPEN) return FAULT
  const middle = scanDecimal(text, from + 1)
  if (middle === FAULT || text.charCodeAt(middle) !== COMMA) return FAULT
  const end = scanDecimal(text, middle + 1)
  return end !== FAULT && text.charCodeAt(end) === CLOSE ? end + 1 : FAULT
}

/** The position after the closing quote. */
function scanDecimal(text: string, from: number): number {
  if (text.charCodeAt(from) !== QUOTE) return FAULT
  const isNegative = text.charCodeAt(from + 1) === MINUS
  const first = isNegative ? from + 2 : from + 1
  const end = scanDigits(text, first)
  const { mantissa, whole, fraction } = digits
  if (end === FAULT || !isCanonical(text, first) || (isNegative && mantissa === 0)) return FAULT
  addValue(isNegative ? -mantissa : mantissa, whole, fraction)
  return end + 1
}

const NO_POINT = -1
/** Result of scanDigits. */
const digits = { mantissa: 0, whole: 0, fraction: 0 }

/** The position of the closing quote. */
function scanDigits(text: string, first: number): number {
  let [at, mantissa, point] = [first, 0, NO_POINT]
  for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(at)) {
    if (code >= ZERO && code <= NINE) mantissa = mantissa * 10 + (code - ZERO)
    else if (code === POINT && point === NO_POINT) point = at
    else return FAULT
    at += 1
  }
  digits.mantissa = mantissa
  digits.whole = (point === NO_POINT ? at : point) - first
  digits.fraction = point === NO_POINT ? 0 : at - point - 1
  return point === at - 1 ? FAULT : at
}

function isCanonical(text: string, first: number): boolean {
  const { whole, fraction } = digits
  if (whole === 0 || whole + fraction > DIGITS_MAX) return false
  if (whole > 1 && text.charCodeAt(first) === ZERO) return false
  return fraction === 0 || text.charCodeAt(first + whole + fraction) !== ZERO
}

function addValue(mantissa: number, whole: number, fraction: number): void {
  const { values } = scanned
  if (values === scanned.mantissas.length) grow()
  scanned.mantissas[values] = mantissa
  scanned.scales[values] = fraction
  scanned.values = values + 1
  if (values % 2 === 0) {
    if (whole > scanned.priceWhole) scanned.priceWhole = whole
    if (fraction > scanned.priceFraction) scanned.priceFraction = fraction
  } else {
    if (whole > scanned.sizeWhole) scanned.sizeWhole = whole
    if (fraction > scanned.sizeFraction) scanned.sizeFraction = fraction
  }
}

function grow(): void {
  const [mantissas, scales] = [new Float64Array(2 * scanned.values), new Uint8Array(2 * scanned.values)]
  mantissas.set(scanned.mantissas)
  scales.set(scanned.scales)
  Object.assign(scanned, { mantissas, scales })
}

const POWERS = Array.from({ length: 19 }, (_value, exponent) => 10 ** exponent)
const BIG_POWERS = Array.from({ length: 19 }, (_value, exponent) => 10n ** BigInt(exponent))

/** Every second value from `first` on in units of 10^-scale; the levels must fit that scale. */
export function unitsOf({ mantissas, scales, values }: ScannedLevels, first: 0 | 1, scale: number): bigint[] {
  const units: bigint[] = []
  for (let at: number = first; at < values; at += 2) {
    const mantissa = mantissas[at] ?? 0
    const shift = scale - (scales[at] ?? 0)
    const product = mantissa * (POWERS[shift] ?? 1)
    units.push(Number.isSafeInteger(product) ? BigInt(product) : BigInt(mantissa) * (BIG_POWERS[shift] ?? 1n))
  }
  return units
}
