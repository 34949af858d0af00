import { expect, test } from 'vitest'
import { parseAddresses, parseConnect } from './parse-connect.ts'

function planned(text: string): [string, string[]][] {
  return parseConnect(text).map(({ feed, instruments }) => [
    feed.name,
    instruments.map(({ symbol, venueSymbol }) => `${symbol} ${venueSymbol}`),
  ])
}

test('the form of a symbol decides the market', () => {
  expect(planned('binance:BTC-USDT,BTC-USDT-PERP,ETH-USDT,BTC-USD-PERP,BTC-USD-20261225')).toEqual([
    ['binance-spot', ['BTC-USDT BTCUSDT', 'ETH-USDT ETHUSDT']],
    ['binance-usdm', ['BTC-USDT-PERP BTCUSDT']],
    ['binance-coinm', ['BTC-USD-PERP BTCUSD_PERP', 'BTC-USD-20261225 BTCUSD_261225']],
  ])
})

test('nothing is connected by default, and a symbol named twice is connected once', () => {
  expect(planned('')).toEqual([])
  expect(planned(' binance:BTC-USDT  binance:BTC-USDT ')).toEqual([['binance-spot', ['BTC-USDT BTCUSDT']]])
})

test.each([
  ['bitmex:BTC-USD', 'CONNECT: bitmex:BTC-USD must have the form venue:SYMBOL,SYMBOL with a venue of binance'],
  ['binance', 'CONNECT: binance must have the form'],
  ['binance:BTCUSDT', 'binance has no symbol of the form BTCUSDT; write BTC-USD'],
  ['binance:BTC-USDT,', 'binance has no symbol of the form ;'],
])('%s is rejected with the correct form', (text, message) => {
  expect(() => parseConnect(text)).toThrow(message)
})

test('addresses of mirrors and emulators replace those of a feed', () => {
  const addresses = parseAddresses('binance-spot=ws://127.0.0.1:9000|http://127.0.0.1:9001')
  const [plan] = parseConnect('binance:BTC-USDT', addresses)
  expect(plan?.addresses).toEqual({ socket: 'ws://127.0.0.1:9000', rest: 'http://127.0.0.1:9001' })
  expect(() => parseAddresses('binance=ws://a|http://b')).toThrow('must have the form feed=wss://host|https://host')
})
