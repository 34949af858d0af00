/** Digits that fit an INT64 for certain. */
export const DECIMAL_DIGITS_MAX = 18
const ZERO = 48
const NINE = 57
const POINT = 46
const MINUS = 45

/** Digits before and after the point of a canonical decimal (as decimal.ts defines it); undefined when it is not one. */
export function digitsOf(text: string): { whole: number; fraction: number } | undefined {
  const first = text.charCodeAt(0) === MINUS ? 1 : 0
  let point = -1
  for (let at = first; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === POINT && point === -1) point = at
    else if (code < ZERO || code > NINE) return undefined
  }
  const whole = (point === -1 ? text.length : point) - first
  const fraction = point === -1 ? 0 : text.length - point - 1
  return isCanonical(text, first, { whole, fraction }) ? { whole, fraction } : undefined
}

function isCanonical(text: string, first: number, { whole, fraction }: { whole: number; fraction: number }): boolean {
  const startsWithZero = text.charCodeAt(first) === ZERO
  if (whole === 0 || (whole > 1 && startsWithZero)) return false
  if (fraction === 0) return !text.endsWith('.') && text !== '-0'
  return text.charCodeAt(text.length - 1) !== ZERO
}

/** `text` in units of 10^-scale; it must be canonical and have at most `scale` decimals. */
export function toUnits(text: string, scale: number): bigint {
  const point = text.indexOf('.')
  if (point === -1) return BigInt(text + '0'.repeat(scale))
  return BigInt(text.slice(0, point) + text.slice(point + 1) + '0'.repeat(scale - (text.length - point - 1)))
}

/** The canonical decimal of `units` × 10^-`scale`. */
export function fromUnits(units: bigint, scale: number): string {
  if (scale === 0) return String(units)
  if (units < 0n) return `-${fromUnits(-units, scale)}`
  const digits = String(units)
  const padded = digits.length > scale ? digits : digits.padStart(scale + 1, '0')
  const point = padded.length - scale
  let end = padded.length
  while (end > point && padded.charCodeAt(end - 1) === ZERO) end -= 1
  return end === point ? padded.slice(0, point) : `${padded.slice(0, point)}.${padded.slice(point, end)}`
}
