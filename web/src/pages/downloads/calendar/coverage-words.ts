import { plural, t } from '@lingui/core/macro'
import { formatDate } from '../../../format/date.ts'
import { formatDuration } from '../../../format/duration.ts'
import type { BookGap } from '../../../api/book-gaps.queries.ts'
import { channelName } from '../names.ts'
import type { CoverageDay, CoverageLine, DayState } from './coverage-days.ts'

/** Summary at the end of a line: gaps before missing days. */
export function lineWords({ days, sealed, empty, gaps }: CoverageLine): string {
  if (gaps > 0) return plural(gaps, { one: '# gap', other: '# gaps' })
  if (empty > 0) return plural(empty, { one: '# empty day', other: '# empty days' })
  if (days.every(({ state }) => state === 'none')) return stateWords('none')
  return sealed === 0 ? t`no file yet` : t`every day`
}

/** A line for screen readers. */
export function lineSentence({ instrument: { symbol, venue }, channel, sealed, empty, gaps }: CoverageLine): string {
  const facts = [
    plural(sealed, { one: '# sealed day', other: '# sealed days' }),
    plural(empty, { one: '# day without a record', other: '# days without a record' }),
    plural(gaps, { one: '# gap', other: '# gaps' }),
  ]
  return `${symbol}, ${venue}, ${channelName(channel)}: ${facts.join(', ')}`
}

/** One day, shown when the pointer is over it. */
export function dayWords({ date, state, file, gaps }: CoverageDay): string {
  const facts = [stateWords(state)]
  if (file !== undefined) {
    const rows = plural(file.rows, { one: '# row', other: '# rows' })
    // A file of several days has no information about a single day.
    facts.push(...(file.dates.length > 1 ? [t`in a file of its month`] : [rows]), t`revision ${file.revision}`)
  }
  if (gaps.length > 0) facts.push(gapWords(gaps))
  return `${formatDate(date)}: ${facts.join(', ')}`
}

/** "2 gaps, 109 s": their number, and the total length of those with both ends. */
export function gapWords(gaps: readonly BookGap[]): string {
  const count = plural(gaps.length, { one: '# gap', other: '# gaps' })
  const lengths = gaps.map(({ from, to }) => (from === null ? Number.NaN : Date.parse(to) - Date.parse(from)))
  const together = lengths.reduce((sum, length) => sum + length, 0)
  return Number.isNaN(together) ? count : `${count}, ${formatDuration(together)}`
}

export function stateWords(state: DayState): string {
  switch (state) {
    case 'final':
      return t`sealed and final`
    case 'revisable':
      return t`sealed, may be revised`
    case 'recorded':
      return t`recorded, not sealed yet`
    case 'empty':
      return t`no records`
    case 'none':
      return t`not recorded`
  }
}
