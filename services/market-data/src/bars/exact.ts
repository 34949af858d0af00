import { fromUnits, toUnits } from '../decimal-units.ts'

/** An exact decimal: `units` of 10^-`scale`. */
export type Exact = { readonly units: bigint; readonly scale: number }

/** The text must be canonical, as decimal.ts defines it. */
export function exactOf(text: string): Exact {
  const point = text.indexOf('.')
  const scale = point === -1 ? 0 : text.length - point - 1
  return { units: toUnits(text, scale), scale }
}

export function textOf({ units, scale }: Exact): string {
  return fromUnits(units, scale)
}

export function sumOf(one: Exact, other: Exact): Exact {
  if (one.scale === other.scale) return { units: one.units + other.units, scale: one.scale }
  const scale = Math.max(one.scale, other.scale)
  return { units: unitsAt(one, scale) + unitsAt(other, scale), scale }
}

export function productOf(one: Exact, other: Exact): Exact {
  return { units: one.units * other.units, scale: one.scale + other.scale }
}

/** Less than, equal to or greater than zero as `one` is to `other`. */
export function compareExact(one: Exact, other: Exact): number {
  const scale = Math.max(one.scale, other.scale)
  const [left, right] = [unitsAt(one, scale), unitsAt(other, scale)]
  if (left === right) return 0
  return left < right ? -1 : 1
}

/** `one` / `other`, rounded to this many significant digits, half to even; undefined when `other` is zero. */
export function quotientOf(one: Exact, other: Exact, digits: number): string | undefined {
  if (other.units === 0n) return undefined
  const isNegative = one.units < 0n !== other.units < 0n
  let dividend = absolute(one.units)
  let divisor = absolute(other.units)
  if (dividend === 0n) return '0'
  // Scaled so that the whole quotient has `digits` digits or one more; then at most one digit is cut.
  let scale = one.scale - other.scale
  const shift = digits - (String(dividend).length - String(divisor).length)
  if (shift > 0) dividend *= 10n ** BigInt(shift)
  else divisor *= 10n ** BigInt(-shift)
  scale += shift
  if (dividend / divisor >= 10n ** BigInt(digits)) {
    divisor *= 10n
    scale -= 1
  }
  const units = dividedHalfEven(dividend, divisor)
  const signed = isNegative ? -units : units
  return scale >= 0 ? fromUnits(signed, scale) : String(signed * 10n ** BigInt(-scale))
}

function dividedHalfEven(dividend: bigint, divisor: bigint): bigint {
  const whole = dividend / divisor
  const twice = 2n * (dividend % divisor)
  if (twice < divisor) return whole
  return twice > divisor || whole % 2n === 1n ? whole + 1n : whole
}

function unitsAt({ units, scale }: Exact, target: number): bigint {
  return scale === target ? units : units * 10n ** BigInt(target - scale)
}

function absolute(units: bigint): bigint {
  return units < 0n ? -units : units
}
