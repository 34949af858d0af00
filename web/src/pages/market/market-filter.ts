/** Seconds of a candle. */
export const CANDLE_SECONDS = { '1s': 1, '1m': 60, '5m': 300, '1h': 3_600 } as const
export type Candle = keyof typeof CANDLE_SECONDS

/** In the URL: the instrument, the time (none: live), and the length of a candle. */
export type MarketFilter = {
  venue: string | undefined
  symbol: string | undefined
  /** RFC 3339 in UTC. */
  at: string | undefined
  candle: Candle
}

const CANDLE_DEFAULT: Candle = '1m'
const CANDLES: readonly string[] = Object.keys(CANDLE_SECONDS)
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?Z$/

export function readMarketFilter(search: URLSearchParams): MarketFilter {
  const candle = search.get('candle')
  return {
    venue: search.get('venue') || undefined,
    symbol: search.get('symbol') || undefined,
    at: momentOf(search.get('at')),
    candle: isCandle(candle) ? candle : CANDLE_DEFAULT,
  }
}

/** Defaults are omitted from the URL. */
export function writeMarketFilter({ candle, ...filter }: MarketFilter): URLSearchParams {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(filter)) if (value !== undefined) search.set(name, value)
  if (candle !== CANDLE_DEFAULT) search.set('candle', candle)
  return search
}

export function isCandle(text: string | null): text is Candle {
  return text !== null && CANDLES.includes(text)
}

function momentOf(text: string | null): string | undefined {
  return text !== null && MOMENT.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined
}
