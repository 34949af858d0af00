import type { SequencedEvent } from '../book/sequencer.ts'
import type { OrderBook } from '../book/order-book.ts'
import type { Level } from '../store/record.ts'

/** The best bid and offer from one event on; both undefined while the book is unknown. */
export type BookQuote = {
  /** Nanosecond digits. */
  tsEvent: string
  tsRecv: string
  sequence: bigint
  bookEpoch: number
  isKnown: boolean
  bid: Level | undefined
  ask: Level | undefined
}

/** Derives the changes of a book's best bid and offer from its events. */
export type QuoteBuilder = {
  /** Applies the event to the book; returns the quote when it changed. */
  apply: (sequenced: SequencedEvent) => BookQuote | undefined
  /** As `apply`, for the last event, if the book already contains it. */
  observe: (sequenced: SequencedEvent) => BookQuote | undefined
}

/** `book` may already contain events; its best levels are then the previous quote. */
export function createQuoteBuilder(book: OrderBook): QuoteBuilder {
  let before = stateOf(book)
  const observe = ({ event, effectiveTs }: SequencedEvent): BookQuote | undefined => {
    const { bid, ask } = book.best()
    const isKnown = book.status() === 'known'
    const after = stateOf(book)
    // A book of one level is a quote that a source recorded: each of them counts, also when it repeats the last.
    const isQuote = event.type === 'snapshot' && event.depthLimit === 1
    if (after === before && !isQuote) return undefined
    before = after
    const { tsRecv, sequence, bookEpoch } = event
    const levels = isKnown ? { bid, ask } : { bid: undefined, ask: undefined }
    return { tsEvent: effectiveTs, tsRecv, sequence, bookEpoch, isKnown, ...levels }
  }
  return {
    observe,
    apply: (sequenced) => (book.apply(sequenced.event) ? observe(sequenced) : undefined),
  }
}

function stateOf(book: OrderBook): string {
  if (book.status() !== 'known') return book.status()
  const { bid, ask } = book.best()
  return `${bid?.join(' ') ?? ''}/${ask?.join(' ') ?? ''}`
}
