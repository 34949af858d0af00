import { FLAGS, type L2Record, type Level } from '../../store/record.ts'
import { quoteRecord } from '../quote-record.ts'
import type { LeanQuote } from './lean-rows.ts'

/** Each row states one side; the other one keeps its last value. */
export function createQuoteBook() {
  let bid: Level | undefined
  let ask: Level | undefined
  return {
    apply(quote: LeanQuote): L2Record {
      bid = quote.bid ?? bid
      ask = quote.ask ?? ask
      const { sourceId, tsEvent } = quote
      return quoteRecord({ sourceId, tsEvent, tsRecv: tsEvent, bid, ask }, FLAGS.bad_ts_recv)
    },
  }
}
