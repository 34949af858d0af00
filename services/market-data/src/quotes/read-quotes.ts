import type { BookOf } from '../book/read-book.ts'
import { beginReplay } from '../book/replay-forward.ts'
import { storedEvents } from '../book/stored-events.ts'
import type { Stores } from '../lake/reading/list-stored-rows.ts'
import { compareNanoseconds } from '../nanoseconds.ts'
import type { Key } from '../records/cursor.ts'
import { type BookQuote, createQuoteBuilder } from './quote-builder.ts'

const EVENTS_PER_READ = 250
/** A call that has read this many events returns the quotes found so far. */
const EVENTS_PER_CALL = 5_000

/** Quotes that begin in [from, until), in nanoseconds. */
export type QuoteRange = { from: bigint; until: bigint }
export type FoundQuotes = {
  quotes: BookQuote[]
  /** As far as the events were read, when that is not the end of the range. */
  reached: Key | undefined
}

/** The quotes of one book, oldest first: more than `minimum`, or all of the range, or those of the events of one call. */
export function readQuotes(stores: Stores, of: BookOf, range: QuoteRange, minimum: number): Promise<FoundQuotes> {
  return readUpTo(stores, of, range, { minimum, eventsMax: EVENTS_PER_CALL })
}

/** All quotes of a range, oldest first, however many events it has. */
export async function readAllQuotes(stores: Stores, of: BookOf, range: QuoteRange): Promise<BookQuote[]> {
  const { quotes } = await readUpTo(stores, of, range, { minimum: Infinity, eventsMax: Infinity })
  return quotes
}

type Limits = { minimum: number; eventsMax: number }

async function readUpTo(
  stores: Stores,
  of: BookOf,
  range: QuoteRange,
  { minimum, eventsMax }: Limits,
): Promise<FoundQuotes> {
  const { instrumentId } = of
  const from = String(range.from)
  const replay = await beginReplay(stores, of, range.from)
  const builder = createQuoteBuilder(replay.book)
  const quotes: BookQuote[] = []
  let events = 0
  for await (const ready of replay.events(range.until, EVENTS_PER_READ)) {
    for (const sequenced of ready) {
      const { event, effectiveTs } = sequenced
      // The next call begins at the time that this one reached, so only events after `from` bring it further.
      if (compareNanoseconds(effectiveTs, from) > 0) events += 1
      const quote = builder.apply(sequenced)
      if (quote !== undefined) quotes.push(quote)
      const isEnough = quotes.length > minimum || events >= eventsMax
      if (isEnough) return { quotes, reached: keyOf(instrumentId, effectiveTs, event.sequence) }
    }
  }
  return { quotes, reached: undefined }
}

/** The time of the `count`th event before `until`; undefined when there are fewer. */
export async function findEventTimeBefore(
  stores: Stores,
  instrumentId: number,
  { until, count }: { until: bigint; count: number },
): Promise<bigint | undefined> {
  let remaining = count
  for await (const event of storedEvents(stores, instrumentId, {
    order: 'desc',
    start: 0n,
    end: until,
    eventsPerRead: EVENTS_PER_READ,
  })) {
    remaining -= 1
    if (remaining === 0) return BigInt(event.tsEvent)
  }
  return undefined
}

function keyOf(instrumentId: number, tsEvent: string, sequence: bigint): Key {
  return { tsEvent, instrumentId, sequence: String(sequence) }
}

export function keyOfQuote(instrumentId: number, { tsEvent, sequence }: BookQuote): Key {
  return keyOf(instrumentId, tsEvent, sequence)
}
