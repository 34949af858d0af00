import type { InstrumentSpec } from '../../instruments/instrument.ts'
import { compareDecimals } from '../../decimal.ts'
import { FLAGS, type L2Record, type Level } from '../../store/record.ts'
import { createGapEnds, type GapEnds } from '../../venues/gap-ends.ts'
import type { FileRun } from '../kind.ts'
import { count } from '../summary.ts'

export type BookChange = {
  instrument: InstrumentSpec
  tsEvent: string
  tsRecv: string
  isSnapshot: boolean
  side: 'bid' | 'ask'
  level: Level
}

type Message = Omit<BookChange, 'side' | 'level'> & { bids: Map<string, Level>; asks: Map<string, Level> }
type Book = { open: Message | undefined; isValid: boolean; lastTsEvent: string | null; gapEnds: GapEnds }

/**
 * Joins the rows of one message, which have the same receive time, into one book event. Before the first snapshot, and
 * from a rejected row to the next snapshot, the book is invalid and only one gap is stored.
 */
export function createBookChanges(run: FileRun) {
  const books = new Map<string, Book>()
  let waiting = 0

  function close(book: Book): void {
    const message = book.open
    book.open = undefined
    if (message === undefined) return
    if (message.isSnapshot) book.isValid = true
    if (!book.isValid) {
      waiting += 1
      return
    }
    book.lastTsEvent = message.tsEvent
    run.l2Event(message.instrument, book.gapEnds.take(eventOf(message)))
  }

  return {
    take(change: BookChange): void {
      const { instrument, tsRecv, isSnapshot, side, level } = change
      const key = `${instrument.venue}:${instrument.symbol}`
      const book = books.get(key) ?? newBook()
      books.set(key, book)
      if (book.open?.tsRecv !== tsRecv || book.open.isSnapshot !== isSnapshot) {
        close(book)
        book.open = { ...change, bids: new Map(), asks: new Map() }
      }
      const levels = side === 'bid' ? book.open.bids : book.open.asks
      levels.set(level[0], level)
    },
    /** A row was rejected: it may belong to any of the books, so all of them wait for a snapshot. */
    invalidate(): void {
      for (const book of books.values()) {
        const { open } = book
        if (open !== undefined && book.isValid) {
          run.l2Event(open.instrument, book.gapEnds.take(gapOf(open, book.lastTsEvent)))
        }
        book.open = undefined
        book.isValid = false
      }
    },
    end(): void {
      for (const book of books.values()) close(book)
      if (waiting > 0) run.note(`${count(waiting)} changes without a snapshot before them were not stored`)
    },
  }
}

function newBook(): Book {
  return { open: undefined, isValid: false, lastTsEvent: null, gapEnds: createGapEnds() }
}

const NOTHING = { depthLimit: null, venueFirstId: null, venueLastId: null, venuePrevId: null, flags: FLAGS.replayed }

function eventOf({ tsEvent, tsRecv, isSnapshot, bids, asks }: Message): L2Record {
  return {
    ...NOTHING,
    sourceId: `${isSnapshot ? 's' : 'u'}${tsRecv}`,
    type: isSnapshot ? 'snapshot' : 'update',
    tsEvent,
    tsRecv,
    bids: sorted(bids, -1),
    asks: sorted(asks, 1),
    gap: null,
  }
}

function gapOf({ tsEvent, tsRecv }: Message, fromTs: string | null): L2Record {
  const gap = { reason: 'rows_refused', fromTs }
  return { ...NOTHING, sourceId: `g${tsRecv}`, type: 'gap', tsEvent, tsRecv, bids: [], asks: [], gap }
}

/** Best first. */
function sorted(levels: Map<string, Level>, direction: 1 | -1): Level[] {
  return [...levels.values()].toSorted(([one], [other]) => direction * compareDecimals(one, other))
}
