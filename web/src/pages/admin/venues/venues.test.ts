import type { Venue } from '@tapeline/contracts/market-data/venues'
import { expect, test } from 'vitest'
import { gapWords, lagWords, readSymbols, saveEffects } from './venue-words.ts'

const venue: Venue = {
  venue: 'kraken',
  symbols: ['BTC-USD'],
  configured_symbols: [],
  is_paused: false,
  version: 3,
  feeds: [],
}

test('symbols are typed with commas or spaces, in any case, and each counts once', () => {
  expect(readSymbols(' btc-usdt,ETH-USDT  btc-usdt\n,')).toEqual(['BTC-USDT', 'ETH-USDT'])
  expect(readSymbols('  ')).toEqual([])
})

test('a lag is shown in a readable unit, also for a venue whose clock is ahead', () => {
  expect([null, 0, 42, -1_272, 61_300].map(lagWords)).toEqual(['–', '0 ms', '42 ms', '-1.3 s', '61.3 s'])
})

test('gaps are shown with the reason of the latest', () => {
  expect(gapWords({ gaps: 0, last_gap: null })).toBe('0 gaps')
  expect(gapWords({ gaps: 1, last_gap: { reason: 'connection_lost', at: '' } })).toBe('1 gap: connection_lost')
})

test('a dialog states what a change does to connections and books', () => {
  expect(saveEffects(venue, { ...venue, is_paused: true }).join(' ')).toMatch(/closed within seconds.*Symbols are kept/)
  expect(saveEffects({ ...venue, is_paused: true }, venue)).toHaveLength(1)
  expect(saveEffects(venue, { symbols: [], is_paused: false }).join(' ')).toMatch(/one gap/)
})
