import type { Trade } from '@tapeline/contracts/market-data/http'
import { formatDecimal } from '../../format/decimal.ts'
import { splitNanoseconds } from '../../format/nanoseconds.ts'
import { splitSymbol } from '../../trades/symbols.ts'
import { make } from '../parts/dom.ts'
import type { Words } from '../parts/words.ts'

const ROWS_MAX = 8

/** The twin of the tape: its newest trades in words. */
export function createTradeTable(place: HTMLElement | undefined, words: Words) {
  return {
    say: (text: string): void => place?.replaceChildren(make('p', { class: 't2' }, text)),
    show: (symbol: string, trades: readonly Trade[]): void => {
      const { base, quote } = splitSymbol(symbol)
      const head = [
        make('th', { scope: 'col', class: 'num time' }, 'UTC'),
        make('th', { scope: 'col', class: 'num' }, `${words('price')}, ${quote}`),
        make('th', { scope: 'col', class: 'num' }, `${words('size')}, ${base}`),
        make('th', { scope: 'col', class: 't13' }, words('side')),
        make('th', { scope: 'col', class: 'num t3 only-wide' }, words('sequence')),
      ]
      place?.replaceChildren(
        make(
          'table',
          { class: 'table' },
          make('caption', { class: 'sr' }, `${words('caption')}, ${symbol}`),
          make('thead', {}, make('tr', {}, ...head)),
          make('tbody', {}, ...trades.slice(0, ROWS_MAX).map((trade) => rowOf(trade, words))),
        ),
      )
    },
  }
}

function rowOf({ ts_event, price, size, side, sequence }: Trade, words: Words): HTMLElement {
  const { clock, rest } = splitNanoseconds(ts_event)
  const word = make('span', { class: 'word' }, side === 'unknown' ? '' : words(side))
  return make(
    'tr',
    {},
    make('td', { class: 'num time' }, clock, make('span', { class: 'ns' }, rest)),
    make('td', { class: 'num' }, formatDecimal(price)),
    make('td', { class: 'num' }, formatDecimal(size)),
    make('td', { class: 't13' }, make('span', { class: side }, word)),
    make('td', { class: 'num t3 only-wide' }, sequence),
  )
}
