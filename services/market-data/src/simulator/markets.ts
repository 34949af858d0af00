/** How one simulated instrument behaves. Prices are multiples of a tick; sizes have a fixed number of decimals. */
export type Market = {
  /** Id that the first migration assigned. */
  instrumentId: number
  symbol: string
  basePrice: number
  /** Grid of prices, in units of 10^-priceDecimals. */
  gridUnits: number
  priceDecimals: number
  meanSize: number
  sizeDecimals: number
  /** Seconds with a trade, as a share of all seconds. */
  tradeShare: number
  /** Upper bound of the trades in one second (4). */
  tradesPerSecondMax?: number
}

export const MARKETS: readonly Market[] = [
  {
    instrumentId: 1,
    symbol: 'BTC-USDT',
    basePrice: 64_200,
    gridUnits: 50,
    priceDecimals: 2,
    meanSize: 0.21,
    sizeDecimals: 5,
    tradeShare: 0.3,
  },
  {
    instrumentId: 2,
    symbol: 'ETH-USDT',
    basePrice: 3_140,
    gridUnits: 5,
    priceDecimals: 2,
    meanSize: 2.6,
    sizeDecimals: 4,
    tradeShare: 0.22,
  },
  {
    instrumentId: 3,
    symbol: 'SOL-USDT',
    basePrice: 148,
    gridUnits: 1,
    priceDecimals: 2,
    meanSize: 41,
    sizeDecimals: 2,
    tradeShare: 0.16,
  },
  {
    instrumentId: 4,
    symbol: 'SPY-USD',
    basePrice: 571,
    gridUnits: 1,
    priceDecimals: 2,
    meanSize: 160,
    sizeDecimals: 0,
    tradeShare: 0.12,
  },
]
