/**
 * A record of the channels `book.10`, `book.50` and `book.full`. Applied in the order in which they arrive, the records
 * give the book at their `sequence`.
 */
export type BookChange = {
  venue: string
  symbol: string
  venue_symbol: string
  instrument_id: number
  /** Time from which the book is valid. */
  ts_event: string
  ts_recv: string
  /** A snapshot contains every event up to it. */
  sequence: string
  book_epoch: number
  /** `snapshot`: the whole book, which replaces the previous state. `gap`: messages were lost; a snapshot follows. */
  type: 'snapshot' | 'update' | 'gap'
  /** [price, size], best first in a snapshot; an update contains new sizes, and "0" removes the price. */
  bids: [string, string][]
  asks: [string, string][]
  depth_limit: number | null
  gap: { reason: string; from_ts: string | null; to_ts: string } | null
}
