import type { Kind } from '../kind.ts'
import type { BinanceMarket } from '../../venues/binance/binance-frames.ts'
import { createCsvReader, isCsvOf } from './read-binance-csv.ts'
import { areFramesOf, createFramesReader } from './read-binance-frames.ts'

export const binanceKinds: readonly Kind[] = [
  kindOf('spot', 'Binance spot'),
  kindOf('usdm', 'Binance USD-M futures'),
  kindOf('coinm', 'Binance COIN-M futures'),
]

/** Recorded frames, or CSV of trades and aggregate trades. */
function kindOf(market: BinanceMarket, description: string): Kind {
  return {
    name: `binance-${market}`,
    description,
    hasConsecutiveTradeIds: true,
    isLike: (head) => areFramesOf(market, head) || isCsvOf(market, head),
    createReader() {
      const readFrames = createFramesReader(market)
      const readCsv = createCsvReader(market)
      return (source, run) => (areFramesOf(market, run.head) ? readFrames : readCsv)(source, run)
    },
  }
}
