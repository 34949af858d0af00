import type { Book, BookChange } from '@tapeline/contracts/market-data/book'

/** The best levels of a book from the stream, best first. */
export type LiveBook = Pick<Book, 'state' | 'sequence' | 'book_epoch' | 'bids' | 'asks' | 'gap'>
type Levels = BookChange['bids']

/** The book after these changes; undefined until its first snapshot or gap. */
export function applyChanges(book: LiveBook | undefined, changes: readonly BookChange[]): LiveBook | undefined {
  return changes.reduce(applyChange, book)
}

function applyChange(book: LiveBook | undefined, change: BookChange): LiveBook | undefined {
  const { type, sequence, book_epoch, gap } = change
  if (type === 'update' && book === undefined) return undefined
  const before = type === 'update' && book !== undefined ? book : { bids: [], asks: [] }
  return {
    state: type === 'gap' ? 'unknown' : 'known',
    sequence,
    book_epoch,
    gap,
    bids: withChanges(before.bids, change.bids, -1),
    asks: withChanges(before.asks, change.asks, 1),
  }
}

/** `direction`: 1 when the lowest price is the best. */
function withChanges(levels: Levels, changed: Levels, direction: 1 | -1): Levels {
  if (changed.length === 0) return levels
  const sizes = new Map(levels)
  for (const [price, size] of changed) {
    if (size === '0') sizes.delete(price)
    else sizes.set(price, size)
  }
  return [...sizes].toSorted(([one], [other]) => direction * (Number(one) - Number(other)))
}
