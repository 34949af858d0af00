import type { BarInterval } from '@tapeline/contracts/market-data/bars'
import { fieldSentence } from '@tapeline/contracts/field-sentence'
import type { ListL2Events, ListTrades } from '@tapeline/contracts/market-data/http'
import { AppError } from '@tapeline/service/app-error'
import { canonicalDecimal } from '../decimal.ts'
import { parseTime } from '../nanoseconds.ts'
import type { L2Type, Side } from '../store/record.ts'

export type Order = 'asc' | 'desc'
export type TimeField = 'ts_event' | 'ts_recv'
export type TimeFormat = 'rfc3339' | 'unix_ns'
export type DecimalRange = { gt?: string; gte?: string; lt?: string; lte?: string }

/** A filter in its one canonical form: names sorted, times as nanosecond digits, decimals canonical. */
export type Filter = {
  order: Order
  time_format: TimeFormat
  time_field?: TimeField
  venues?: string[]
  symbols?: string[]
  start?: string
  end?: string
  side?: Side
  price?: DecimalRange
  size?: DecimalRange
  include?: string[]
  types?: L2Type[]
  depth?: number
  layout?: 'events' | 'levels'
  as_of?: string
  bar?: BarSpec
}
/** How trades become bars; decimals canonical. */
export type BarSpec =
  | { by: 'time'; interval: BarInterval; timeZone: string }
  | { by: 'ticks'; least: number }
  | { by: 'volume' | 'dollars'; least: string }
export type ListBody = ListTrades & ListL2Events

const DEFAULTS = { order: 'asc', time_format: 'rfc3339', time_field: 'ts_event' } as const

/** The filter of a body, in canonical form, without defaults. */
export function requestedFilter(body: ListBody): Partial<Filter> {
  const {
    order,
    time_format,
    time_field,
    as_of,
    venues,
    symbols,
    start,
    end,
    side,
    price,
    size,
    include,
    types,
    depth,
    layout,
  } = body
  return withoutUndefined({
    order,
    time_format,
    time_field,
    as_of: typeof as_of === 'string' ? time('/as_of', as_of) : undefined,
    venues: venues && names(venues.map((name) => name.toLowerCase())),
    symbols: symbols && names(symbols.map((name) => name.toUpperCase())),
    start: start === undefined ? undefined : time('/start', start),
    end: end === undefined ? undefined : time('/end', end),
    side,
    price: price && decimals(price),
    size: size && decimals(size),
    include: include && names(include),
    types: types && names(types),
    depth,
    layout,
  })
}

export function completeFilter(requested: Partial<Filter>): Filter {
  const filter = { ...DEFAULTS, ...requested }
  if (filter.start !== undefined && filter.end !== undefined && BigInt(filter.start) >= BigInt(filter.end)) {
    throw invalid('/end', 'laterThan', 'start')
  }
  return filter
}

export function invalid(field: string, rule: string, limit?: string): AppError {
  const message = `${field.slice(1)} ${fieldSentence(rule, limit)}`
  const error = limit === undefined ? { field, message, rule } : { field, message, rule, limit }
  return new AppError('filter.invalid', message, { errors: [error] })
}

function time(field: string, text: string): string {
  const nanoseconds = parseTime(text)
  if (nanoseconds === undefined) throw invalid(field, 'timestamp')
  return String(nanoseconds)
}

function names<T extends string>(list: T[]): T[] {
  return [...new Set(list)].toSorted()
}

/** The schema has already rejected values that are not decimals. */
function decimals({ gt, gte, lt, lte }: DecimalRange): DecimalRange {
  const canonical = (text: string | undefined) => (text === undefined ? undefined : (canonicalDecimal(text) ?? text))
  return withoutUndefined({ gt: canonical(gt), gte: canonical(gte), lt: canonical(lt), lte: canonical(lte) })
}

type Defined<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> }

function withoutUndefined<T extends object>(object: T): Defined<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Defined<T>
}
