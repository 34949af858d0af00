import type { Sample } from '@tapeline/contracts/market-data/http'
import { apiAddress } from '../parts/call.ts'

const TRADES_MAX = 160
const SAMPLE_STREAM = '/api/v1/sample/stream'
/** Delay after a stream could not be opened; until then, calls load the trades. */
const TRY_AGAIN_MS = 30_000

type Trades = Sample['data']

/** Follows the trades of one symbol at a time while the page is visible. The browser reconnects automatically. */
export function createFollower(onTrades: (symbol: string, trades: Trades, newestBefore: string | undefined) => void) {
  let source: EventSource | undefined
  let failedAtMs = Number.NEGATIVE_INFINITY

  const stop = (): void => {
    source?.close()
    source = undefined
  }

  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && stop())

  return {
    stop,
    isOpen: (): boolean => source?.readyState === EventSource.OPEN,
    /** `initial`: the answer of the last call, newest first. */
    follow(symbol: string, initial: Trades): void {
      const isEarly = performance.now() - failedAtMs < TRY_AGAIN_MS
      if (source !== undefined || isEarly || typeof EventSource === 'undefined') return
      let trades = initial
      const place = new URLSearchParams({ after: initial[0]?.sequence ?? '0' }).toString()
      const opened = new EventSource(apiAddress(`${SAMPLE_STREAM}/${encodeURIComponent(symbol)}?${place}`))
      source = opened
      opened.addEventListener('trades', ({ data }) => {
        if (source !== opened) return
        const newestBefore = trades[0]?.sequence
        trades = [...tradesIn(String(data)), ...trades].slice(0, TRADES_MAX)
        onTrades(symbol, trades, newestBefore)
      })
      opened.addEventListener('error', () => {
        if (opened.readyState !== EventSource.CLOSED || source !== opened) return
        failedAtMs = performance.now()
        stop()
      })
    },
  }
}

function tradesIn(json: string): Trades {
  const { data }: { data: Trades } = JSON.parse(json)
  return data
}
