import { expect, test } from 'vitest'
import { vendorInstrument } from './vendor-symbol.ts'

test.each([
  ['coinbase', 'BTC-USD', 'BTC-USD', 'spot'],
  ['kraken', 'XBT/USD', 'BTC-USD', 'spot'],
  ['okex-swap', 'BTC-USDT-SWAP', 'BTC-USDT-PERP', 'perpetual'],
  ['okex-futures', 'BTC-USD-240927', 'BTC-USD-20240927', 'dated'],
  ['gemini', 'BTC-GUSD-PERP', 'BTC-GUSD-PERP', 'perpetual'],
  ['deribit', 'BTC-PERPETUAL', 'BTC-USD-PERP', 'perpetual'],
  ['deribit', 'BTC_USDC-PERPETUAL', 'BTC-USDC-PERP', 'perpetual'],
  ['deribit', 'BTC_USDC', 'BTC-USDC', 'spot'],
  ['binance-delivery', 'BTCUSD_PERP', 'BTC-USD-PERP', 'perpetual'],
])('%s %s is %s', (exchange, venueSymbol, symbol, kind) => {
  expect(vendorInstrument(exchange, venueSymbol)).toMatchObject({ venueSymbol, symbol, kind })
})

test.each([
  ['a dated future', 'deribit', 'BTC-27SEP24'],
  ['a dated future', 'ftx', 'BTC-0325'],
  ['a perpetual', 'cryptofacilities', 'PI_XBTUSD'],
  ['a weekly future', 'huobi-dm', 'BTC_CW'],
  ['a perpetual', 'huobi-dm-swap', 'BTC-USD'],
  ['a perpetual', 'gate-io-futures', 'BTC_USDT'],
  ['a perpetual', 'dydx', 'BTC-USD'],
  ['a perpetual whose quote is not separated', 'crypto-com', 'BTCUSD-PERP'],
  ['a quote before its base', 'upbit', 'KRW-BTC'],
  ['a quote before its base', 'poloniex', 'USDT_BTC'],
])('%s is not taken for a spot pair: %s %s', (_what, exchange, venueSymbol) => {
  expect(vendorInstrument(exchange, venueSymbol)).toBeUndefined()
})
