import type { BookChange } from '@tapeline/contracts/market-data/book'
import { expect, test } from 'vitest'
import { applyChanges } from './live-book.ts'

const change = (type: BookChange['type'], sequence: string, fields: Partial<BookChange> = {}): BookChange => ({
  venue: 'sim',
  symbol: 'BTC-USDT',
  venue_symbol: 'BTCUSDT',
  instrument_id: 1,
  ts_event: '2026-11-23T10:00:00.000000000Z',
  ts_recv: '2026-11-23T10:00:00.000000000Z',
  sequence,
  book_epoch: 1,
  type,
  bids: [],
  asks: [],
  depth_limit: null,
  gap: null,
  ...fields,
})

test('a snapshot, then its changes: sizes are replaced, "0" removes, and both sides stay best first', () => {
  const snapshot = change('snapshot', '1', {
    bids: [
      ['99.5', '1'],
      ['98', '2'],
    ],
    asks: [['100', '1']],
  })
  const book = applyChanges(undefined, [
    snapshot,
    change('update', '2', { bids: [['99', '3']], asks: [['100.5', '4']] }),
    change('update', '3', { bids: [['99.5', '0']], asks: [['100', '7']] }),
  ])
  expect(book).toMatchObject({
    state: 'known',
    sequence: '3',
    bids: [
      ['99', '3'],
      ['98', '2'],
    ],
    asks: [
      ['100', '7'],
      ['100.5', '4'],
    ],
  })
})

test('after a gap the book is unknown until the next snapshot', () => {
  expect(applyChanges(undefined, [change('update', '1', { bids: [['1', '1']] })])).toBeUndefined()
  const gap = { reason: 'update_ids_missing', from_ts: null, to_ts: '2026-11-23T10:00:01.000000000Z' }
  const book = applyChanges(undefined, [change('snapshot', '1', { bids: [['1', '1']] })])
  const lost = applyChanges(book, [change('gap', '2', { gap })])
  expect(lost).toMatchObject({ state: 'unknown', bids: [], asks: [], gap })
  expect(applyChanges(lost, [change('snapshot', '3', { asks: [['2', '1']] })])).toMatchObject({
    state: 'known',
    bids: [],
    asks: [['2', '1']],
  })
})
