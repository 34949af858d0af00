import type { UserActor } from '@tapeline/contracts/actor'
import {
  type LatestQuotes,
  type LatestQuotesAnswer,
  type Quote,
  QUOTE_INSTRUMENTS_MAX,
} from '@tapeline/contracts/market-data/quotes'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import type { RegisteredInstrument } from '../instruments/instrument.ts'
import { selectInstruments } from '../instruments/select-instruments.ts'
import { nanosecondsOf } from '../nanoseconds.ts'
import { checkMoment, earliestFor } from '../records/check-history.ts'
import { completeFilter, invalid, requestedFilter } from '../records/filter.ts'
import { formatTimeAs } from '../records/render-record.ts'
import { presentQuote } from './present-quote.ts'
import type { BookQuote } from './quote-builder.ts'
import type { QuoteRange } from './read-quotes.ts'
import { readQuotesBack } from './read-quotes-back.ts'

/** Each reads about 8,000 events. */
const READS_MAX = 12

/**
 * The newest quote of each instrument, by instrument id: the first one of the list with `order: desc`.
 * @throws AppError filter.invalid; data.unavailable if the best prices of a book did not change in its newest 90,000 events
 */
export async function latestQuotes(
  deps: Deps,
  actor: UserActor,
  input: LatestQuotes,
  requestId: string,
): Promise<LatestQuotesAnswer> {
  const now = deps.now()
  const filter = completeFilter(requestedFilter(input))
  const until = filter.end === undefined ? nanosecondsOf(now) + 1n : BigInt(filter.end)
  checkMoment(deps, actor, until, now)
  const { instruments } = selectInstruments(await deps.instruments.list(), actor, filter)
  if (instruments.length > QUOTE_INSTRUMENTS_MAX) {
    throw invalid('/symbols', 'maxInstruments', String(QUOTE_INSTRUMENTS_MAX))
  }
  const format = formatTimeAs(filter.time_format)
  const data: Quote[] = []
  for (const instrument of instruments) {
    const quote = await latestQuote(deps, instrument, { from: earliestFor(actor, now), until })
    if (quote !== undefined) data.push(presentQuote(instrument, quote, format))
  }
  return { data, request_id: requestId }
}

async function latestQuote(
  deps: Deps,
  instrument: RegisteredInstrument,
  { from, until }: QuoteRange,
): Promise<BookQuote | undefined> {
  let end = until
  for (let reads = 0; reads < READS_MAX; reads += 1) {
    const { quotes, reached } = await readQuotesBack(deps, instrument, { from, until: end }, 0)
    if (quotes.length > 0 || reached === undefined) return quotes[0]
    end = BigInt(reached.tsEvent)
  }
  const { venue, symbol } = instrument
  const message = `The best prices of ${venue}:${symbol} have not changed for too many events: use /api/v1/l2events/book.`
  throw new AppError('data.unavailable', message)
}
