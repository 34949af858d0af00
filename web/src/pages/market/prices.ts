import { formatDecimal } from '../../format/decimal.ts'
import { i18n } from '../../language/i18n.ts'

/** Digits after the point of the longest of these decimals, so that a column has one length. */
export function fractionDigits(decimals: readonly string[]): number {
  return decimals.reduce((most, decimal) => Math.max(most, (decimal.split('.')[1] ?? '').length), 0)
}

/** A decimal string with at least so many digits after the point, exactly as the API gave it otherwise. */
export function showDecimal(decimal: string, digits: number): string {
  const [whole = '', fraction = ''] = decimal.split('.')
  const padded = fraction.padEnd(digits, '0')
  return formatDecimal(padded === '' ? whole : `${whole}.${padded}`, i18n.locale)
}
