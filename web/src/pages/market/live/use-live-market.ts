import type { Answer } from '@tapeline/contracts/answer'
import type { StreamTicket } from '@tapeline/contracts/gateway/http'
import type { BookChange } from '@tapeline/contracts/market-data/book'
import type { Instrument, Trade } from '@tapeline/contracts/market-data/http'
import type { STREAM_SUBPROTOCOL } from '@tapeline/contracts/market-data/stream'
import { useEffect, useState } from 'react'
import { api, publicApiUrl } from '../../../platform.ts'
import { TRADES_SHOWN } from '../market.queries.ts'
import { applyChanges, type LiveBook } from './live-book.ts'
import { followMarket } from './market-stream.ts'
import { mergeTrades } from './merge-trades.ts'

const SUBPROTOCOL: typeof STREAM_SUBPROTOCOL = 'tapeline.v1'
const NONE: readonly Trade[] = []

/**
 * Trades of the live stream, newest first, and its book, while the page is live and visible. `isOpen`: no trade is
 * missing since then.
 */
export function useLiveMarket({ venue, symbol, l2_events }: Instrument, isLive: boolean) {
  const [isOpen, setOpen] = useState(false)
  const [streamed, setStreamed] = useState(NONE)
  const [book, setBook] = useState<LiveBook>()
  const hasBook = l2_events > 0
  const isSeen = useIsSeen()
  const isFollowed = isLive && isSeen
  useEffect(() => {
    if (!isFollowed) return
    const stop = new AbortController()
    const deps = {
      openTicket,
      openSocket: (ticket: string) => new WebSocket(streamUrl(ticket), SUBPROTOCOL),
      onTrades: (trades: Trade[]) => setStreamed((shown) => mergeTrades(trades, shown, TRADES_SHOWN)),
      onBook: (changes: BookChange[]) => setBook((shown) => applyChanges(shown, changes)),
      onBookEnd: () => setBook(undefined),
      onLive: setOpen,
    }
    void followMarket(deps, { venue, symbol, hasBook }, stop.signal)
    return () => {
      stop.abort()
      setOpen(false)
      setBook(undefined)
    }
  }, [isFollowed, venue, symbol, hasBook])
  return { isOpen, streamed: isLive ? streamed : NONE, book: isOpen ? book : undefined }
}

async function openTicket(signal: AbortSignal): Promise<string> {
  const { body } = await api.send<Answer<StreamTicket>>({ method: 'POST', path: '/api/v1/stream/tickets', signal })
  return body.data.ticket
}

function streamUrl(ticket: string): string {
  return `${publicApiUrl.replace(/^http/, 'ws')}/api/v1/stream?${new URLSearchParams({ ticket }).toString()}`
}

/** A page in a background tab closes its stream. */
function useIsSeen(): boolean {
  const [isSeen, setSeen] = useState(!document.hidden)
  useEffect(() => {
    const updateVisibility = () => setSeen(!document.hidden)
    document.addEventListener('visibilitychange', updateVisibility)
    return () => document.removeEventListener('visibilitychange', updateVisibility)
  }, [])
  return isSeen
}
