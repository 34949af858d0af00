import type { DataFile } from '@tapeline/contracts/market-data/files'
import type { Instrument } from '@tapeline/contracts/market-data/http'
import { addDays, dayOfTime, eachDay } from '../../../format/day.ts'
import type { Channel } from '../downloads-filter.ts'
import type { BookGap } from '../../../api/book-gaps.queries.ts'
import type { Days } from '../downloads.queries.ts'

/**
 * `final`, `revisable`: sealed in a file. `recorded`: stored, not sealed yet. `empty`: between the first and the last
 * day, without a record. `none`: before or after the recording.
 */
export type DayState = 'final' | 'revisable' | 'recorded' | 'empty' | 'none'
export type CoverageDay = { date: string; state: DayState; file: DataFile | undefined; gaps: readonly BookGap[] }
export type CoverageLine = {
  instrument: Instrument
  channel: Channel
  days: readonly CoverageDay[]
  /** Sealed days; days without a record; gaps in the book. */
  sealed: number
  empty: number
  gaps: number
  /** The last day up to which every sealed day is final. */
  finalTo: string | undefined
}

type Stored = { files: readonly DataFile[]; gaps: readonly BookGap[] }

/** One line per channel that an instrument has. */
export function coverageLines(instruments: readonly Instrument[], { files, gaps }: Stored, days: Days): CoverageLine[] {
  return instruments.flatMap((instrument) =>
    channelsOf(instrument).map((channel) => {
      const isOf = ({ venue, symbol }: BookGap | DataFile) => venue === instrument.venue && symbol === instrument.symbol
      const stored = {
        files: files.filter((file) => isOf(file) && file.channel === channel),
        gaps: channel === 'l2events' ? gaps.filter(isOf) : [],
      }
      return lineOf({ instrument, channel }, stored, days)
    }),
  )
}

export function channelsOf({ trades, l2_events }: Instrument): Channel[] {
  return [...(trades > 0 ? (['trades'] as const) : []), ...(l2_events > 0 ? (['l2events'] as const) : [])]
}

/** The last day with a record of the instrument. */
export function lastDayOf({ last_ts_event }: Instrument): string | undefined {
  return last_ts_event === null ? undefined : dayOfTime(last_ts_event)
}

function lineOf(of: Pick<CoverageLine, 'instrument' | 'channel'>, { files, gaps }: Stored, { first, last }: Days) {
  const byDate = new Map(files.flatMap((file) => file.dates.map((date) => [date, file])))
  const gapsByDate = groupByDay(gaps)
  const lastSealed = [...byDate.keys()].reduce((latest, date) => (date > latest ? date : latest), '')
  const days = eachDay(first, last).map((date): CoverageDay => {
    const file = byDate.get(date)
    const state = file === undefined ? stateWithoutFile(of.instrument, date, lastSealed) : stateOf(file)
    return { date, state, file, gaps: gapsByDate.get(date) ?? [] }
  })
  return {
    ...of,
    days,
    sealed: days.filter(({ file }) => file !== undefined).length,
    empty: days.filter(({ state }) => state === 'empty').length,
    gaps: gaps.length,
    finalTo: finalTo(byDate),
  }
}

function stateOf({ finality }: DataFile): DayState {
  return finality === 'final' ? 'final' : 'revisable'
}

function stateWithoutFile({ first_ts_event, last_ts_event }: Instrument, date: string, lastSealed: string): DayState {
  if (first_ts_event === null || last_ts_event === null) return 'none'
  if (date < dayOfTime(first_ts_event) || date > dayOfTime(last_ts_event)) return 'none'
  return date > lastSealed ? 'recorded' : 'empty'
}

function finalTo(byDate: ReadonlyMap<string, DataFile>): string | undefined {
  const inOrder = [...byDate].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const open = inOrder.findIndex(([, { finality }]) => finality !== 'final')
  return inOrder.slice(0, open < 0 ? inOrder.length : open).at(-1)?.[0]
}

/** A gap counts for every day that it touches. */
function groupByDay(gaps: readonly BookGap[]): Map<string, BookGap[]> {
  const byDay = new Map<string, BookGap[]>()
  for (const gap of gaps) {
    const last = dayOfTime(gap.to)
    for (let day = dayOfTime(gap.from ?? gap.to); day <= last; day = addDays(day, 1)) {
      byDay.set(day, [...(byDay.get(day) ?? []), gap])
    }
  }
  return byDay
}
