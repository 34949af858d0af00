import type { UserActor } from '@tapeline/contracts/actor'
import {
  type LatestQuotes,
  type LatestQuotesAnswer,
  type Quote,
  QUOTE_INSTRUMENTS_MAX,
} from '@tapeline/contracts/market-data/quotes'
import type { Deps } from '../deps.ts'
import { selectInstruments } from '../instruments/select-instruments.ts'
import { nanosecondsOf } from '../nanoseconds.ts'
import { checkMoment } from '../records/check-history.ts'
import { completeFilter, invalid, requestedFilter } from '../records/filter.ts'
import { formatTimeAs } from '../records/render-record.ts'
import { presentQuote } from './present-quote.ts'
import { readQuotesBack } from './read-quotes-back.ts'

/**
 * The newest quote of each instrument, by instrument id: the first one of the list with `order: desc`.
 * @throws AppError filter.invalid
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
    const [quote] = (await readQuotesBack(deps, instrument, { from: 0n, until }, 1)).quotes
    if (quote !== undefined) data.push(presentQuote(instrument, quote, format))
  }
  return { data, request_id: requestId }
}
