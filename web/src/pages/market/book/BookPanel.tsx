import { t } from '@lingui/core/macro'
import type { Book } from '@tapeline/contracts/market-data/book'
import { StateBadge } from '../../../ui/StateBadge.tsx'
import { LoadFailure } from '../LoadFailure.tsx'
import { BOOK_DEPTH } from '../market.queries.ts'
import { fractionDigits, showDecimal } from '../prices.ts'
import type { MarketView } from '../use-market-view.ts'
import { type BookRow, bookRows, spreadOf } from './book-rows.ts'

const SUM_DECIMALS = 3

/** The best levels of the book at this time, or why it is unknown. */
export function BookPanel({ view }: { view: MarketView }) {
  const { book, shownBook: shown } = view
  return (
    <section className="book-side" aria-labelledby="book" aria-busy={book.isPlaceholderData}>
      <div className="sub">
        <h3 id="book">{t`Order book`}</h3>
        {shown?.state === 'known' && (
          <>
            {shown.levels !== undefined && <span className="faint">{levelsText(shown, shown.levels)}</span>}
            <span className="end">
              <StateBadge tone="ok">{t`Known`}</StateBadge>
            </span>
          </>
        )}
        {shown?.state === 'unknown' && (
          <span className="end">
            <StateBadge tone="bad">{t`Unknown`}</StateBadge>
          </span>
        )}
      </div>
      <LoadFailure query={book} title={t`The order book could not be loaded`} />
      {shown !== undefined && (shown.state === 'known' ? <Levels book={shown} /> : <Unknown book={shown} />)}
    </section>
  )
}

function levelsText(book: Pick<Book, 'asks' | 'bids'>, levels: number): string {
  const shown = book.asks.length + book.bids.length
  return t`${shown} of ${levels} levels`
}

function Levels({ book }: { book: Pick<Book, 'asks' | 'bids'> }) {
  const { asks, bids } = bookRows(book, BOOK_DEPTH)
  const all = [...asks, ...bids]
  const digits = {
    price: fractionDigits(all.map(({ price }) => price)),
    size: fractionDigits(all.map(({ size }) => size)),
  }
  const spread = spreadOf(book)
  return (
    <table className="table book">
      <caption className="sr-only">{t`Order book, asks above bids`}</caption>
      <thead>
        <tr>
          <th scope="col" className="numeric">{t`Price`}</th>
          <th scope="col" className="numeric">{t`Size`}</th>
          <th scope="col" className="numeric">{t`Sum`}</th>
        </tr>
      </thead>
      <tbody>
        {asks.map((row) => (
          <Level key={row.price} row={row} side="ask" digits={digits} />
        ))}
        <tr className="middle">
          <td colSpan={3}>
            {spread !== undefined && (
              <>
                <span className="faint">{t`spread`}</span>{' '}
                <span className="mono">{showDecimal(spread, digits.price)}</span>
              </>
            )}
          </td>
        </tr>
        {bids.map((row) => (
          <Level key={row.price} row={row} side="bid" digits={digits} />
        ))}
      </tbody>
    </table>
  )
}

type LevelProps = { row: BookRow; side: 'ask' | 'bid'; digits: { price: number; size: number } }

function Level({ row: { price, size, sum, share }, side, digits }: LevelProps) {
  return (
    <tr className={side}>
      <td className="numeric price">{showDecimal(price, digits.price)}</td>
      <td className="numeric">{showDecimal(size, digits.size)}</td>
      <td className="numeric cumulative">
        <span style={{ width: `${(share * 100).toFixed(1)}%` }} />
        {showDecimal(sum.toFixed(SUM_DECIMALS), SUM_DECIMALS)}
      </td>
    </tr>
  )
}

function Unknown({ book: { gap } }: { book: Pick<Book, 'gap'> }) {
  const why = gap === null || gap.reason === 'no_snapshot' ? t`no earlier snapshot is stored` : t`updates were lost`
  return (
    <p className="message muted">
      {t`The book is unknown at this time: ${why}. It is available again from the next snapshot.`}
    </p>
  )
}

type BookPlace = Pick<Book, 'sequence' | 'book_epoch' | 'complete_through'>

/** Identifies the book for comparison with a replay. */
export function BookFacts({ book, end }: { book: BookPlace; end: string | undefined }) {
  const { sequence, book_epoch, complete_through } = book
  if (sequence === null || book_epoch === null) return null
  const isFinal = end !== undefined && complete_through !== null && Date.parse(complete_through) >= Date.parse(end)
  return (
    <p className="panel-foot">
      {t`Book up to sequence ${showDecimal(sequence, 0)}, epoch ${book_epoch}.`}{' '}
      {isFinal && t`This moment is final: the same call returns the same data later.`}
    </p>
  )
}
