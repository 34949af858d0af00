import { msg, t } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import { dateFormat } from '../../../format/locale.ts'
import type { BucketUnit, UsagePoint, UsageReport } from '@tapeline/contracts/audit/http'

const DAY: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' }
const CLOCK: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
const LABELS_MAX = 7
const NOW_WITHIN_MS = 60_000

/** "Tue 17 Nov, 14:00 to 15:00": a bucket in the zone of its report. */
export function bucketName({ from, to }: UsagePoint, timeZone: string): string {
  const start = format(from, timeZone, { weekday: 'short', ...DAY })
  const hours = (Date.parse(to) - Date.parse(from)) / 3_600_000
  if (hours > 1.5) return start
  const [begin, end] = [format(from, timeZone, CLOCK), format(to, timeZone, CLOCK)]
  return begin === end ? `${start}, ${begin}` : t`${start}, ${begin} to ${end}`
}

/** "23 Nov, 13:18 to 14:02": what a chart shows, in the zone of its report. */
export function rangeName({ series, period: { tz } }: Pick<UsageReport, 'series' | 'period'>): string {
  const [first, last] = [series[0], series.at(-1)]
  if (first === undefined || last === undefined) return ''
  const isSameDay = format(first.from, tz, DAY) === format(last.to, tz, DAY)
  const end = format(last.to, tz, isSameDay ? CLOCK : { ...DAY, ...CLOCK })
  return t`${format(first.from, tz, { ...DAY, ...CLOCK })} to ${end}`
}

export const BUCKETS: Record<BucketUnit, MessageDescriptor> = {
  minute: msg`by minute`,
  hour: msg`by hour`,
  day: msg`by day`,
}

/** For ranges longer than this, hourly buckets are labeled with their day. */
const CLOCK_HOURS_MAX = 48

export type AxisLabel = { at: number; text: string }

/** A few labels under the chart; `at` is a percentage of the width. */
export function axisLabels(series: readonly UsagePoint[], unit: BucketUnit, timeZone: string): AxisLabel[] {
  const every = Math.max(1, Math.ceil(series.length / LABELS_MAX))
  const options = isShort(series.length, unit) ? CLOCK : DAY
  const labels: AxisLabel[] = []
  for (let n = 0; n < series.length * 0.9; n += every) {
    const point = series[n]
    if (point !== undefined) labels.push({ at: (n / series.length) * 100, text: format(point.from, timeZone, options) })
  }
  return [...labels, { at: 100, text: endOf(series, timeZone, options) }]
}

/** Whether hours are sufficient as labels. */
export function isShort(buckets: number, unit: BucketUnit): boolean {
  return unit === 'minute' || (unit === 'hour' && buckets <= CLOCK_HOURS_MAX)
}

/** The labels below both ends of a tape of the whole period: a day, with the time of day where buckets are short. */
export function endsOf({ series, period: { tz, bucket, from } }: Pick<UsageReport, 'series' | 'period'>) {
  const options = isShort(series.length, bucket) ? { ...DAY, ...CLOCK } : DAY
  return { from: format(from, tz, options), end: endOf(series, tz, options), isNow: !isPast(series) }
}

/** "now" for a period that still runs, otherwise its last moment. */
function endOf(series: readonly UsagePoint[], timeZone: string, options: Intl.DateTimeFormatOptions): string {
  const last = series.at(-1)
  return last !== undefined && isPast(series) ? format(last.to, timeZone, options) : t`now`
}

function isPast(series: readonly UsagePoint[]): boolean {
  const last = series.at(-1)
  return last !== undefined && Date.parse(last.to) < Date.now() - NOW_WITHIN_MS
}

export function format(time: string, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  return dateFormat({ ...options, timeZone }).format(new Date(time))
}
