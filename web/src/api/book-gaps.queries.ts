import type { Instrument, L2EventPage } from '@tapeline/contracts/market-data/http'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callMarketData } from './market-data.ts'

const L2_EVENTS = '/api/v1/l2events/list'
/** Maximum number of gaps in one answer. */
const GAPS_PER_ANSWER = 100
const CALLS_MAX = 5

export type BookGap = { venue: string; symbol: string; from: string | null; to: string; reason: string | null }
/** Times; the end is exclusive. */
type Range = { start: string; end: string }

/** Gaps in the books of these instruments, named by the coverage of a list call. */
export function bookGapsQuery(instruments: readonly Instrument[], range: Range) {
  const withBooks = instruments.filter(({ l2_events }) => l2_events > 0)
  const venues = [...new Set(withBooks.map(({ venue }) => venue))]
  const symbols = [...new Set(withBooks.map(({ symbol }) => symbol))]
  return queryOptions({
    queryKey: ['book-gaps', venues, symbols, range],
    enabled: withBooks.length > 0,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => listGaps({ venues, symbols }, range, signal),
  })
}

async function listGaps(filter: object, { start, end }: Range, signal: AbortSignal): Promise<BookGap[]> {
  const found = new Map<string, BookGap>()
  let from = start
  for (let call = 0; call < CALLS_MAX; call += 1) {
    const body = { ...filter, start: from, end, types: ['gap'], limit: 1 }
    const { coverage } = await callMarketData<L2EventPage>({ method: 'POST', path: L2_EVENTS, body, signal })
    const gaps = coverage.filter(({ state }) => state === 'gap')
    for (const { venue, symbol, from: begins, to, reason } of gaps) {
      if (to !== null) found.set(`${venue} ${symbol} ${to}`, { venue, symbol, from: begins, to, reason })
    }
    const reached = gaps.at(-1)?.to ?? null
    if (gaps.length < GAPS_PER_ANSWER || reached === null || reached === from) break
    from = reached
  }
  return [...found.values()]
}
