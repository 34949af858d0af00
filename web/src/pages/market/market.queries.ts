import type { Bar, BarInterval, BarPage, ListBars } from '@tapeline/contracts/market-data/bars'
import type { BookAnswer, ReadBook } from '@tapeline/contracts/market-data/book'
import type { Instrument, ListTrades, TradePage } from '@tapeline/contracts/market-data/http'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { keepAnswerOf } from '../../api/keep-answer.ts'
import { callMarketData } from '../../api/market-data.ts'
import type { Candle } from './market-filter.ts'

export const TRADES_CALL = '/api/v1/trades/list'
export const BARS_CALL = '/api/v1/trades/bars'
export const BOOK_CALL = '/api/v1/l2events/book'
/** Levels per side. */
export const BOOK_DEPTH = 9
export const TRADES_SHOWN = 150
export const CANDLES_SHOWN = 90
/** Interval of the bars for the slider and the 24-hour figures. */
export const ACTIVITY_INTERVAL: BarInterval = '10m'
const ACTIVITY_FRESH_FOR_MS = 60_000

type Named = Pick<Instrument, 'venue' | 'symbol'>
/** `end`: a time, exclusive; the present when undefined. */
type Until = { end: string | undefined; refreshMs: number | false }

/** The body of a call is also what "copy as call" shows. */
export function tradesBody({ venue, symbol }: Named, end: string | undefined): ListTrades {
  return {
    venues: [venue],
    symbols: [symbol],
    order: 'desc',
    limit: TRADES_SHOWN,
    ...(end === undefined ? {} : { end }),
  }
}

export function candlesBody({ venue, symbol }: Named, interval: Candle, end: string | undefined): ListBars {
  const range = end === undefined ? {} : { end }
  return { venues: [venue], symbols: [symbol], interval, order: 'desc', limit: CANDLES_SHOWN, ...range }
}

export function bookBody({ venue, symbol }: Named, at: string | undefined): ReadBook {
  return { venue, symbol, depth: BOOK_DEPTH, ...(at === undefined ? {} : { at }) }
}

/** The book at the moment, inclusive. Only for instruments with a book. */
export function bookQuery(instrument: Instrument, { end, refreshMs }: Until) {
  const body = bookBody(instrument, end)
  return queryOptions({
    queryKey: ['book', body],
    enabled: instrument.l2_events > 0,
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { data } = await callMarketData<BookAnswer>({ method: 'POST', path: BOOK_CALL, body, signal })
      return data
    },
  })
}

/** Newest first. */
export function tradesQuery(instrument: Instrument, { end, refreshMs }: Until) {
  const body = tradesBody(instrument, end)
  return queryOptions({
    queryKey: ['trades', body],
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callMarketData<TradePage>({ method: 'POST', path: TRADES_CALL, body, signal }),
  })
}

/** Oldest first. */
export function candlesQuery(instrument: Instrument, interval: Candle, { end, refreshMs }: Until) {
  const body = candlesBody(instrument, interval, end)
  return queryOptions({
    queryKey: ['candles', interval, body],
    refetchInterval: refreshMs,
    placeholderData: keepAnswerOf(interval),
    queryFn: ({ signal }) => listBars(body, signal),
  })
}

/** Bars of ten minutes over two days at most, oldest first. */
export function activityQuery({ venue, symbol }: Named, { start, end }: { start: string; end: string }) {
  const body: ListBars = { venues: [venue], symbols: [symbol], interval: ACTIVITY_INTERVAL, start, end, limit: 300 }
  return queryOptions({
    queryKey: ['bars', body],
    staleTime: ACTIVITY_FRESH_FOR_MS,
    refetchInterval: ACTIVITY_FRESH_FOR_MS,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => listBars(body, signal),
  })
}

async function listBars(body: ListBars, signal: AbortSignal): Promise<Bar[]> {
  const { data } = await callMarketData<BarPage>({ method: 'POST', path: BARS_CALL, body, signal })
  return body.order === 'desc' ? data.toReversed() : data
}
