import type { Instrument } from '@tapeline/contracts/market-data/http'
import { addDays } from '../../format/day.ts'
import { lastDayOf } from './calendar/coverage-days.ts'
import { type DownloadsFilter, SPAN_DAYS } from './downloads-filter.ts'
import type { Days } from './downloads.queries.ts'

type ListedFiles = Days & { names: readonly Pick<Instrument, 'venue' | 'symbol'>[] }

/** The instrument of the URL, else the first one. */
export function chosenInstrument(
  instruments: readonly Instrument[],
  { venue, symbol }: Pick<DownloadsFilter, 'venue' | 'symbol'>,
): Instrument {
  const [first] = instruments
  if (first === undefined) throw new Error('a page without instruments shows no coverage')
  return instruments.find((one) => one.symbol === symbol && (venue === undefined || one.venue === venue)) ?? first
}

/** The days of the calendar: by default up to the last record of the instrument. */
export function shownDays({ span, until, to }: DownloadsFilter, chosen: Instrument): Days {
  const newest = lastDayOf(chosen) ?? new Date().toISOString().slice(0, 10)
  const last = until ?? (to !== undefined && to < addDays(newest, 1 - SPAN_DAYS[span]) ? to : newest)
  return { first: addDays(last, 1 - SPAN_DAYS[span]), last }
}

/** Whether a list of files includes these days of the instrument; otherwise nothing is known about its files. */
export function isListed(of: ListedFiles | undefined, { venue, symbol }: Instrument, { first, last }: Days): boolean {
  if (of?.first !== first || of.last !== last) return false
  return of.names.some((one) => one.venue === venue && one.symbol === symbol)
}

/** The first `count` instruments of the list; the chosen one is always among them. */
export function shownInstruments(
  instruments: readonly Instrument[],
  chosen: Instrument,
  count: number,
): readonly Instrument[] {
  const first = instruments.slice(0, count)
  return first.includes(chosen) ? first : [chosen, ...first.slice(0, count - 1)]
}
