const GROUPED = new Intl.NumberFormat('en-US')
const THOUSAND = 1_000
const MILLION = 1_000_000

/** 1284530 → 1,284,530 */
export function formatCount(count: number): string {
  return GROUPED.format(count)
}

/** Abbreviated with K and M, three significant digits at most: 842, 4.2K, 286K, 1.42M. */
export function formatShortCount(count: number): string {
  if (count < THOUSAND) return GROUPED.format(count)
  // 999,500 and more would read 1000K.
  if (count < 999_500) return `${threeDigits(count / THOUSAND)}K`
  return `${threeDigits(count / MILLION)}M`
}

/** Three digits at most: 14.4, 1.42K, <0.01. Never rounds down to 0. */
export function formatRate(rate: number): string {
  if (rate > 0 && rate < 0.01) return '<0.01'
  return rate < THOUSAND ? threeDigits(rate) : formatShortCount(rate)
}

/** A share of one as percent: 0.99462 → 99.46%. Never rounds up to 100 or down to 0. */
export function formatPercent(share: number): string {
  const percent = share * 100
  if (percent > 99.99 && percent < 100) return '99.99%'
  if (percent > 0 && percent < 0.01) return '<0.01%'
  return `${Number(percent.toFixed(2))}%`
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${threeDigits(bytes / THOUSAND ** step)} ${BYTE_UNITS[step] ?? 'B'}`
}

/** "1 key", "2 keys": English only until the pages are translated. */
export function formatPlural(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

function threeDigits(value: number): string {
  const decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2
  return GROUPED.format(Number(value.toFixed(decimals)))
}
