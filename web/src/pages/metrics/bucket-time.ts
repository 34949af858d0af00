import { msg, t } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import { dateLocale } from '../../format/locale.ts'
import type { Period, UsagePoint } from '@tapeline/contracts/audit/http'

const DAY: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' }
const CLOCK: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
const LABELS_MAX = 7

/** "Tue 17 Nov, 14:00 to 15:00": a bucket in the zone of its report. */
export function bucketName({ from, to }: UsagePoint, timeZone: string): string {
  const start = format(from, timeZone, { weekday: 'short', ...DAY })
  const hours = (Date.parse(to) - Date.parse(from)) / 3_600_000
  if (hours > 1.5) return start
  const [begin, end] = [format(from, timeZone, CLOCK), format(to, timeZone, CLOCK)]
  return begin === end ? `${start}, ${begin}` : t`${start}, ${begin} to ${end}`
}

export const BUCKETS: Record<Period, MessageDescriptor> = {
  '1h': msg`by minute`,
  '24h': msg`by hour`,
  '7d': msg`by hour`,
  '30d': msg`by day`,
  '90d': msg`by day`,
}

export type AxisLabel = { at: number; text: string }

/** A few labels under the chart; `at` is a percentage of the width. */
export function axisLabels(series: readonly UsagePoint[], period: Period, timeZone: string): AxisLabel[] {
  const every = Math.max(1, Math.ceil(series.length / LABELS_MAX))
  const options = period === '1h' || period === '24h' ? CLOCK : DAY
  const labels = series.flatMap(({ from }, n) => {
    const at = (n / series.length) * 100
    return n % every === 0 && at < 90 ? [{ at, text: format(from, timeZone, options) }] : []
  })
  return [...labels, { at: 100, text: t`now` }]
}

export function format(time: string, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(dateLocale(), { ...options, timeZone }).format(new Date(time))
}
