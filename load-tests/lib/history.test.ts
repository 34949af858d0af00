import { expect, test } from 'vitest'
import { historiesOf, type Listed } from './history.ts'

const NOW = '2026-03-31T00:00:00.000Z'
const options = { symbols: ['BTC-USDT', 'ETH-USDT'], daysMax: 30, nowMs: Date.parse(NOW) }

function listed(symbol: string, first: string | null, change: Partial<Listed> = {}): Listed {
  const last = first === null ? null : '2026-03-30T23:59:59.987654321Z'
  return { venue: 'sim', symbol, first_ts_event: first, last_ts_event: last, ...change }
}

test('times before the first record are not drawn, nor those before the last 30 days', () => {
  const instruments = [
    listed('BTC-USDT', '2026-03-29T00:00:00.123456789Z'),
    listed('ETH-USDT', '2025-01-01T00:00:00.000000000Z'),
  ]
  const toMs = Date.parse('2026-03-30T23:59:59.987Z')
  expect(historiesOf(instruments, options)).toEqual([
    { symbol: 'BTC-USDT', fromMs: Date.parse('2026-03-29T00:00:00.123Z'), toMs },
    { symbol: 'ETH-USDT', fromMs: Date.parse('2026-03-01T00:00:00Z'), toMs },
  ])
})

test('instruments without recent records, of another venue and with another symbol are left out', () => {
  const first = '2026-03-29T00:00:00.000000000Z'
  const others = [
    listed('BTC-USDT', null),
    listed('BTC-USDT', '2025-01-01T00:00:00.000000000Z', { last_ts_event: '2025-02-01T00:00:00.000000000Z' }),
    listed('ETH-USDT', first, { venue: 'binance' }),
    listed('SOL-USDT', first),
  ]
  expect(() => historiesOf(others, options)).toThrow('the platform has no records of BTC-USDT, ETH-USDT at venue sim')
  expect(historiesOf([...others, listed('ETH-USDT', first)], options)).toHaveLength(1)
})
