import { canonicalDecimal } from '../decimal.ts'
import { fromUnits } from '../decimal-units.ts'

/** The fields of one line; quoted fields may contain commas, and `""` is a quote. */
export function splitCsv(line: string): string[] {
  return line.includes('"') ? splitQuoted(line) : line.split(',')
}

/** A field and what ends it. */
const FIELD = /(?:"((?:[^"]|"")*)"|([^,"]*))(,|$)/gy

function splitQuoted(line: string): string[] {
  const fields: string[] = []
  for (const [, quoted, plain = '', end] of line.matchAll(FIELD)) {
    fields.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === '') return fields
  }
  throw new Error('has a quote that does not end')
}

const EXPONENT = /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d{1,3})$/
const EXPONENT_MAX = 40

/** `1e-7`, as programs print small numbers, becomes `0.0000001`: digit by digit, never through a float. */
function withoutExponent(text: string): string {
  const match = EXPONENT.exec(text)
  if (match === null) return text
  const [, sign = '', whole = '', fraction = '', exponent = ''] = match
  const shift = Number(exponent)
  if (Math.abs(shift) > EXPONENT_MAX) return text
  const digits = '0'.repeat(EXPONENT_MAX) + whole + fraction + '0'.repeat(EXPONENT_MAX)
  const point = EXPONENT_MAX + whole.length + shift
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}

export function decimalOf(name: string, text: string | undefined): string {
  const decimal = canonicalDecimal(text ?? '') ?? canonicalDecimal(withoutExponent(text ?? ''))
  if (decimal === undefined) throw new Error(`${name} is not a decimal: ${shorten(text)}`)
  return decimal
}

export function positiveOf(name: string, text: string | undefined): string {
  const decimal = decimalOf(name, text)
  if (decimal === '0' || decimal.startsWith('-')) throw new Error(`${name} is not above zero: ${decimal}`)
  return decimal
}

/** A size, whose zero means that there is none. */
export function sizeOf(name: string, text: string | undefined): string {
  const decimal = decimalOf(name, text)
  if (decimal.startsWith('-')) throw new Error(`${name} is below zero: ${decimal}`)
  return decimal
}

/** A whole number of units of 10^-scale. */
export function fixedDecimalOf(text: string, scale: number): string {
  return /^-?\d{1,38}$/.test(text) ? fromUnits(BigInt(text), scale) : text
}

export type TimeUnit = 's' | 'ms' | 'us' | 'ns'
const ZEROS: Record<TimeUnit, string> = { s: '000000000', ms: '000000', us: '000', ns: '' }
/** Digits of a time between 2001 and 2286 in each unit. */
const DIGITS: Record<TimeUnit, number> = { s: 10, ms: 13, us: 16, ns: 19 }
const WHOLE = /^[1-9]\d*$/

/** Nanosecond digits of a count since 1970; the number of digits must be that of one of the units. */
export function timeOf(name: string, text: string | undefined, units: readonly TimeUnit[]): string {
  const digits = text ?? ''
  const unit = WHOLE.test(digits) ? units.find((one) => DIGITS[one] === digits.length) : undefined
  if (unit === undefined) throw new Error(`${name} is not a time in ${units.join(' or ')}: ${shorten(text)}`)
  return digits + ZEROS[unit]
}

const SHOWN_LENGTH = 40

function shorten(text: string | undefined): string {
  if (text === undefined) return 'missing'
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : JSON.stringify(text)
}
