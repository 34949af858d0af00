import { formatDecimal } from '../../format/decimal.ts'
import { i18n } from '../../language/i18n.ts'

/** Maximum number of decimal places of these values, so that a column has a uniform length. */
export function fractionDigits(decimals: readonly string[]): number {
  return decimals.reduce((most, decimal) => Math.max(most, (decimal.split('.')[1] ?? '').length), 0)
}

/** A decimal string padded to at least this many decimal places, otherwise exactly as in the API. */
export function showDecimal(decimal: string, digits: number): string {
  const [whole = '', fraction = ''] = decimal.split('.')
  const padded = fraction.padEnd(digits, '0')
  return formatDecimal(padded === '' ? whole : `${whole}.${padded}`, i18n.locale)
}
