import type { BookOf } from '../book/read-book.ts'
import type { Stores } from '../lake/reading/list-stored-rows.ts'
import type { BookQuote } from './quote-builder.ts'
import { findEventTimeBefore, type FoundQuotes, type QuoteRange, readAllQuotes } from './read-quotes.ts'

/** Events of the first window; later windows are larger. */
const EVENTS_MIN = 64
const EVENTS_MAX = 2_048
const WINDOWS_MAX = 8
const SEQUENCE_MIN = '0'

/** The quotes of one book, newest first: more than `minimum`, or all of the range, or those of the windows of one call. */
export async function readQuotesBack(
  stores: Stores,
  of: BookOf,
  { from, until }: QuoteRange,
  minimum: number,
): Promise<FoundQuotes> {
  const { instrumentId } = of
  const quotes: BookQuote[] = []
  let count = Math.min(EVENTS_MAX, Math.max(EVENTS_MIN, 2 * minimum))
  let end = until
  for (let windows = 0; windows < WINDOWS_MAX; windows += 1) {
    const found = (await findEventTimeBefore(stores, instrumentId, { until: end, count })) ?? 0n
    const start = found > from ? found : from
    const window = await readAllQuotes(stores, of, { from: start, until: end })
    quotes.push(...window.toReversed())
    if (start === from) return { quotes, reached: undefined }
    end = start
    if (quotes.length > minimum) break
    count = Math.min(EVENTS_MAX, count * 2)
  }
  return { quotes, reached: { tsEvent: String(end), instrumentId, sequence: SEQUENCE_MIN } }
}
