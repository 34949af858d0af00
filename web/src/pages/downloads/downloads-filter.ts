import type { DataFile } from '@tapeline/contracts/market-data/files'
import { parseDay } from '../../format/day.ts'

export type Channel = DataFile['channel']
export const CHANNELS: readonly Channel[] = ['trades', 'l2events']
export const SPAN_DAYS = { month: 30, quarter: 91, year: 365 } as const
export type Span = keyof typeof SPAN_DAYS

/** In the URL: the instrument, its channel, the span of the calendar and its last day, the chosen days (UTC). */
export type DownloadsFilter = {
  venue: string | undefined
  symbol: string | undefined
  channel: Channel | undefined
  span: Span
  until: string | undefined
  /** First and last day, both inclusive. */
  from: string | undefined
  to: string | undefined
}

const SPAN_DEFAULT: Span = 'quarter'
const SPANS = Object.keys(SPAN_DAYS)

export function readDownloadsFilter(search: URLSearchParams): DownloadsFilter {
  const [from, to] = inOrder(parseDay(search.get('from')), parseDay(search.get('to')))
  return {
    venue: search.get('venue') || undefined,
    symbol: search.get('symbol') || undefined,
    channel: CHANNELS.find((channel) => channel === search.get('channel')),
    span: isSpan(search.get('span')) ?? SPAN_DEFAULT,
    until: parseDay(search.get('until')),
    from,
    to,
  }
}

/** Defaults are omitted from the URL. */
export function writeDownloadsFilter({ span, ...filter }: DownloadsFilter): URLSearchParams {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(filter)) if (value !== undefined) search.set(name, value)
  if (span !== SPAN_DEFAULT) search.set('span', span)
  return search
}

function inOrder(from: string | undefined, to: string | undefined) {
  return from !== undefined && to !== undefined && from > to ? ([to, from] as const) : ([from, to] as const)
}

function isSpan(text: string | null): Span | undefined {
  return SPANS.includes(text ?? '') ? (text as Span) : undefined
}
