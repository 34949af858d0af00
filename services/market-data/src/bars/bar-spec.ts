import { BAR_INTERVALS, type BarInterval, type ListBars } from '@tapeline/contracts/market-data/bars'
import { AppError } from '@tapeline/service/app-error'
import { canonicalDecimal } from '../decimal.ts'
import { type BarSpec, type Filter, invalid, requestedFilter } from '../records/filter.ts'
import { type BarClock, createBarClock } from './bar-clock.ts'
import type { BarThreshold } from './count-bar-builder.ts'
import { exactOf } from './exact.ts'

const NS_PER_SECOND = 1_000_000_000n
const UNIT_SECONDS: Record<string, bigint> = { s: 1n, m: 60n, h: 3_600n, d: 86_400n }
export type CountSpec = Exclude<BarSpec, { by: 'time' }>
export type TimeSpec = Extract<BarSpec, { by: 'time' }>
const DEFAULT_BAR: TimeSpec = { by: 'time', interval: '1m', timeZone: 'UTC' }

/** The filter of a body, in canonical form, without defaults. */
export function requestedBarFilter(body: ListBars): Partial<Filter> {
  const { interval, time_zone, ticks, volume, dollars, ...rest } = body
  const bar = requestedBar({ interval, time_zone, ticks, volume, dollars })
  if (bar?.by !== 'time' && bar !== undefined && rest.order === 'desc') throw invalid('/order', 'const', 'asc')
  return { ...requestedFilter(rest), ...(bar === undefined ? {} : { bar }) }
}

export function barOf({ bar = DEFAULT_BAR }: Filter): BarSpec {
  return bar
}

type RequestedBar = { [Name in 'ticks' | 'volume' | 'dollars' | 'interval' | 'time_zone']: ListBars[Name] | undefined }

function requestedBar(request: RequestedBar): BarSpec | undefined {
  const { interval, time_zone, ticks, volume, dollars } = request
  const named = Object.entries({ interval, ticks, volume, dollars }).filter(([, value]) => value !== undefined)
  const [, second] = named
  if (second !== undefined) throw oneOnly(second[0], named[0]?.[0] ?? '')
  const count = countThresholds(request)
  if (count !== undefined) return withoutZone(time_zone, count)
  if (interval === undefined && time_zone === undefined) return undefined
  const spec: TimeSpec = {
    by: 'time',
    interval: interval ?? DEFAULT_BAR.interval,
    timeZone: time_zone ?? DEFAULT_BAR.timeZone,
  }
  clockOf(spec)
  return spec
}

function countThresholds({ ticks, volume, dollars }: RequestedBar): CountSpec | undefined {
  if (ticks !== undefined) return { by: 'ticks', least: ticks }
  if (volume !== undefined) return { by: 'volume', least: canonical(volume) }
  return dollars === undefined ? undefined : { by: 'dollars', least: canonical(dollars) }
}

function withoutZone(timeZone: string | undefined, spec: CountSpec): CountSpec {
  if (timeZone === undefined) return spec
  throw oneOnly('time_zone', spec.by)
}

function oneOnly(field: string, other: string): AppError {
  return invalidField(field, `${field} cannot be combined with ${other}.`)
}

function invalidField(field: string, message: string): AppError {
  return new AppError('filter.invalid', message, { errors: [{ field: `/${field}`, message }] })
}

/** The schema has rejected everything that is not a decimal. */
function canonical(text: string): string {
  return canonicalDecimal(text) ?? text
}

const clocks = new Map<string, BarClock>()
const CLOCKS_MAX = 200
const NO_TIME_ZONE = 'time_zone must be an IANA time zone, such as America/New_York.'

/** Throws `filter.invalid` for an unknown time zone. */
export function clockOf({ interval, timeZone }: TimeSpec): BarClock {
  const name = `${interval} ${timeZone}`
  const cached = clocks.get(name)
  if (cached !== undefined) return cached
  if (clocks.size === CLOCKS_MAX) clocks.clear()
  try {
    const clock = createBarClock(stepOf(interval), timeZone)
    clocks.set(name, clock)
    return clock
  } catch (error) {
    if (error instanceof RangeError) throw invalidField('time_zone', NO_TIME_ZONE)
    throw error
  }
}

function stepOf(interval: BarInterval): bigint {
  return BigInt(interval.slice(0, -1)) * (UNIT_SECONDS[interval.slice(-1)] ?? 1n) * NS_PER_SECOND
}

export function thresholdOf(spec: CountSpec): BarThreshold {
  return spec.by === 'ticks' ? spec : { by: spec.by, least: exactOf(spec.least) }
}

/** `1m`, or for example `ticks:100`. */
export function nameOf(spec: BarSpec): string {
  return spec.by === 'time' ? spec.interval : `${spec.by}:${spec.least}`
}

/** Intervals that one-minute bars add up to. */
export function isOfMinutes({ interval }: TimeSpec): boolean {
  return BAR_INTERVALS.includes(interval) && !interval.endsWith('s')
}
