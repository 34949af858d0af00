import type { OrderBook } from '../../book/order-book.ts'
import type { SequencedEvent } from '../../book/sequencer.ts'
import type { RegisteredInstrument } from '../../instruments/instrument.ts'
import type { Filter } from '../../records/filter.ts'
import type { Row } from '../../records/record-queries.ts'
import { formatTimeAs } from '../../records/render-record.ts'
import type { View } from '../feed-block.ts'
import { nowNanoseconds } from '../stream-view.ts'
import { type BookChannel, depthOf } from './book-channel.ts'
import { observeChanges, renderChange } from './book-changes.ts'
import { observeQuotes, renderQuote } from './quote-rows.ts'

/** Returns the row of an event that the book has just applied; undefined when the channel shows no change. */
export type BookObserver = (sequenced: SequencedEvent) => Row | undefined

/** Observes the changes of a book that a channel shows, from the book's current state on. */
export function observerOf(channel: BookChannel, book: OrderBook, instrumentId: number): BookObserver {
  if (channel === 'bbo') return observeQuotes(book, instrumentId)
  return observeChanges(book, { instrumentId, depth: depthOf(channel) })
}

/** Renders a channel's rows for a subscription, with `ts_out`. */
export function bookViewOf(channel: BookChannel, filter: Filter, instruments: readonly RegisteredInstrument[]): View {
  const format = formatTimeAs(filter.time_format)
  const render = channel === 'bbo' ? renderQuote : renderChange
  const byId = new Map(instruments.map((instrument) => [String(instrument.instrumentId), instrument]))
  return {
    key: filter.time_format,
    matches: undefined,
    renderNow() {
      const end = `,"ts_out":"${format(nowNanoseconds())}"}`
      return (row) => {
        const instrument = byId.get(row[0] ?? '')
        return instrument === undefined ? '' : render(row, instrument, format).slice(0, -1) + end
      }
    },
  }
}
