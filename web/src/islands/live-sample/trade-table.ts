import type { Trade } from '@tapeline/contracts/market-data/http'
import { formatDecimal } from '../../format/decimal.ts'
import { splitNanoseconds } from '../../format/nanoseconds.ts'
import { splitSymbol } from '../../trades/symbols.ts'
import { make } from '../parts/dom.ts'
import type { Words } from '../parts/words.ts'

const ROWS_MAX = 8

/** The text alternative of the tape: its newest trades as a table. */
export function createTradeTable(place: HTMLElement | undefined, words: Words) {
  return {
    showMessage: (text: string): void => place?.replaceChildren(make('p', { class: 'muted' }, text)),
    show: (symbol: string, trades: readonly Trade[]): void => {
      const { base, quote } = splitSymbol(symbol)
      const head = [
        make('th', { scope: 'col', class: 'numeric time' }, 'UTC'),
        make('th', { scope: 'col', class: 'numeric' }, `${words('price')}, ${quote}`),
        make('th', { scope: 'col', class: 'numeric' }, `${words('size')}, ${base}`),
        make('th', { scope: 'col', class: 'small' }, words('side')),
        make('th', { scope: 'col', class: 'numeric faint only-wide' }, words('sequence')),
      ]
      place?.replaceChildren(
        make(
          'table',
          { class: 'table' },
          make('caption', { class: 'sr-only' }, `${words('caption')}, ${symbol}`),
          make('thead', {}, make('tr', {}, ...head)),
          make('tbody', {}, ...trades.slice(0, ROWS_MAX).map((trade) => rowOf(trade, words))),
        ),
      )
    },
  }
}

function rowOf({ ts_event, price, size, side, sequence }: Trade, words: Words): HTMLElement {
  const language = document.documentElement.lang
  const { clock, nanoseconds } = splitNanoseconds(ts_event)
  const word = make('span', { class: 'word' }, side === 'unknown' ? '' : words(side))
  return make(
    'tr',
    {},
    make('td', { class: 'numeric time' }, clock, make('span', { class: 'nanoseconds' }, nanoseconds)),
    make('td', { class: 'numeric' }, formatDecimal(price, language)),
    make('td', { class: 'numeric' }, formatDecimal(size, language)),
    make('td', { class: 'small' }, make('span', { class: side }, word)),
    make('td', { class: 'numeric faint only-wide' }, sequence),
  )
}
