import { i18n } from '../language/i18n.ts'
import { numberFormat } from './locale.ts'

const THOUSAND = 1_000
const MILLION = 1_000_000

/** Suffixes of abbreviated counts. */
const SHORT = new Map([
  ['en', { thousand: 'K', million: 'M' }],
  ['es', { thousand: '\u00A0mil', million: '\u00A0M' }],
  ['fr', { thousand: '\u00A0k', million: '\u00A0M' }],
])
const SHORT_DEFAULT = { thousand: 'K', million: 'M' }

/** 1284530 → 1,284,530 */
export function formatCount(count: number): string {
  return numberFormat().format(count)
}

/** A number with a maximum number of fraction digits. */
export function formatNumber(value: number, decimalsMax: number): string {
  return numberFormat({ maximumFractionDigits: decimalsMax }).format(value)
}

/** Abbreviated with K and M, three significant digits at most: 842, 4.2K, 286K, 1.42M. */
export function formatShortCount(count: number): string {
  const { thousand, million } = SHORT.get(i18n.locale) ?? SHORT_DEFAULT
  if (count < THOUSAND) return formatCount(count)
  // 999,500 and more would read 1000K.
  if (count < 999_500) return threeDigits(count / THOUSAND) + thousand
  return threeDigits(count / MILLION) + million
}

/** Three digits at most: 14.4, 1.42K, <0.01. Never rounds down to 0. */
export function formatRate(rate: number): string {
  if (rate > 0 && rate < 0.01) return `<${formatNumber(0.01, 2)}`
  return rate < THOUSAND ? threeDigits(rate) : formatShortCount(rate)
}

/** A share of one as percent: 0.99462 → 99.46%. Never rounds up to 100 or down to 0. */
export function formatPercent(share: number): string {
  const percent = numberFormat({ style: 'percent', maximumFractionDigits: 2 })
  if (share > 0.9999 && share < 1) return percent.format(0.9999)
  if (share > 0 && share < 0.0001) return `<${percent.format(0.0001)}`
  return percent.format(share)
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const
const OCTET_UNITS = ['o', 'ko', 'Mo', 'Go', 'To'] as const

export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  const units = i18n.locale === 'fr' ? OCTET_UNITS : BYTE_UNITS
  return `${threeDigits(bytes / THOUSAND ** step)} ${units[step] ?? units[0]}`
}

function threeDigits(value: number): string {
  return formatNumber(value, value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2)
}
