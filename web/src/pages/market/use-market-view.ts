import type { Instrument } from '@tapeline/contracts/market-data/http'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { bookGapsQuery } from '../../api/book-gaps.queries.ts'
import { instrumentsQuery } from '../../api/instruments.queries.ts'
import { planQuery } from '../../api/plan.queries.ts'
import { useNow } from '../../ui/hooks/use-now.ts'
import { mergeTrades } from './live/merge-trades.ts'
import { useLiveMarket } from './live/use-live-market.ts'
import type { MarketFilter } from './market-filter.ts'
import { activityQuery, bookQuery, candlesQuery, TRADES_SHOWN, tradesQuery } from './market.queries.ts'
import { activityRange, isoOf, lastRecordMs, momentOf, newerRecordMs, refreshMs } from './moment.ts'

const DAY_MS = 86_400_000
const INSTRUMENTS_REFRESH_MS = 300_000
/** Used until the plan is loaded: the smallest one. */
const REQUESTS_PER_MINUTE = 10

export type MarketView = ReturnType<typeof useMarketView>

/** Everything that the page shows of one instrument at one moment. */
export function useMarketView(instrument: Instrument, { at, candle }: MarketFilter) {
  const nowMs = useNow()
  const plan = usePlan()
  const [seenMs, setSeenMs] = useState<number>()
  const lastMs = lastRecordMs(instrument, seenMs)
  const moment = momentOf(at, lastMs, nowMs)
  const end = moment.isLive ? undefined : isoOf(moment.atMs)
  const until = { end, refreshMs: moment.isLive ? plan.refreshMs : (false as const) }
  const range = activityRange(moment.atMs, nowMs, plan.historyMs)
  const live = useLiveMarket(instrument, moment.isLive)
  const trades = useQuery(tradesQuery(instrument, live.isOpen ? { ...until, refreshMs: false } : until))
  const book = useQuery(bookQuery(instrument, live.book === undefined ? until : { ...until, refreshMs: false }))
  const { refetch } = trades
  useEffect(() => {
    // The stream begins with the present: what came before it is listed once more.
    if (live.isOpen) void refetch()
  }, [live.isOpen, refetch])
  // Newest first.
  const shownTrades = trades.data && mergeTrades(live.streamed, trades.data.data, TRADES_SHOWN)
  const newerMs = newerRecordMs(shownTrades, lastMs, nowMs)
  if (newerMs !== undefined) setSeenMs(newerMs)
  useQuery({ ...instrumentsQuery, refetchInterval: instrumentsRefreshMs(at) })
  return {
    moment,
    end,
    refreshMs: plan.refreshMs,
    isStreaming: live.isOpen,
    trades,
    shownTrades,
    book,
    /** The book of the stream while it is open, without the number of all levels. */
    shownBook: live.book === undefined ? book.data : book.data && { ...book.data, ...live.book, levels: undefined },
    candles: useQuery(candlesQuery(instrument, candle, until)),
    activity: useQuery(activityQuery(instrument, range)),
    gaps: useQuery(bookGapsQuery([instrument], range)),
  }
}

/** A page that shows the present looks for new records, also while there are none. */
function instrumentsRefreshMs(at: string | undefined): number | false {
  return at === undefined ? INSTRUMENTS_REFRESH_MS : false
}

function usePlan(): { refreshMs: number; historyMs: number | undefined } {
  const { data: plan } = useQuery(planQuery)
  return {
    refreshMs: refreshMs(plan?.rate_limits.requestsPerMinute ?? REQUESTS_PER_MINUTE),
    historyMs: plan?.features.historicalData === true ? undefined : DAY_MS,
  }
}
