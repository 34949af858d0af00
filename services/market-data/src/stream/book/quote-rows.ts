import type { OrderBook } from '../../book/order-book.ts'
import type { SequencedEvent } from '../../book/sequencer.ts'
import type { RegisteredInstrument } from '../../instruments/instrument.ts'
import { presentQuote } from '../../quotes/present-quote.ts'
import { createQuoteBuilder } from '../../quotes/quote-builder.ts'
import type { Row } from '../../records/record-queries.ts'
import type { FormatTime } from '../../records/render-record.ts'
import type { Level } from '../../store/record.ts'

const NO_LEVEL: Level = ['', '']

/** Rows of the changes of a book's best bid and offer. Pass each event after the book has applied it. */
export function observeQuotes(book: OrderBook, instrumentId: number): (sequenced: SequencedEvent) => Row | undefined {
  const builder = createQuoteBuilder(book)
  return (sequenced) => {
    const quote = builder.observe(sequenced)
    if (quote === undefined) return undefined
    const { tsEvent, tsRecv, sequence, bookEpoch, isKnown, bid, ask } = quote
    const head = [String(instrumentId), String(sequence), tsEvent, tsRecv, String(bookEpoch), isKnown ? '1' : '']
    return [...head, ...(bid ?? NO_LEVEL), ...(ask ?? NO_LEVEL)]
  }
}

/** A row as JSON of the contract's Quote. */
export function renderQuote(row: Row, instrument: RegisteredInstrument, format: FormatTime): string {
  const [, sequence = '', tsEvent = '', tsRecv = '', epoch, isKnown, bidPrice, bidSize, askPrice, askSize] = row
  const bid = levelOf(bidPrice, bidSize)
  const ask = levelOf(askPrice, askSize)
  const quote = { tsEvent, tsRecv, bookEpoch: Number(epoch), isKnown: isKnown === '1', bid, ask }
  return JSON.stringify(presentQuote(instrument, { ...quote, sequence: BigInt(sequence) }, format))
}

function levelOf(price = '', size = ''): Level | undefined {
  return price === '' ? undefined : [price, size]
}
