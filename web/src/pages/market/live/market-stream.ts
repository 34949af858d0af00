import type { BookChange } from '@tapeline/contracts/market-data/book'
import type { Trade } from '@tapeline/contracts/market-data/http'
import type { Batch, ServerMessage, Subscribe } from '@tapeline/contracts/market-data/stream'
import { pause } from '../../../pause.ts'

const TAPE = 'tape'
const BOOK = 'book'
const WAIT_MIN_MS = 1_000
const WAIT_MAX_MS = 30_000
/** Three of the server's heartbeats: a connection that is silent for longer is dead. */
export const SILENT_MS = 30_000

type Followed = { venue: string; symbol: string; hasBook: boolean }
type Streamed = Batch['data'][number]
/** Cursors by subscription. */
type Cursors = Record<string, string | undefined>
export type MarketStreamDeps = {
  /** A single-use ticket; rejects when the plan or the session does not allow a stream. */
  openTicket: (signal: AbortSignal) => Promise<string>
  openSocket: (ticket: string) => WebSocket
  /** In the order of the instrument; late records may be repeated in a list. */
  onTrades: (trades: Trade[]) => void
  /** In the order in which they are to be applied; also after a connection was cut. */
  onBook: (changes: BookChange[]) => void
  /** The book is no longer followed on this connection. */
  onBookEnd: () => void
  /** `true`: live from now on; earlier trades are not part of the stream. */
  onLive: (isLive: boolean) => void
}

/** Follows the trades and the book of one instrument until the signal is aborted; reconnects where it stopped. */
export async function followMarket(deps: MarketStreamDeps, instrument: Followed, signal: AbortSignal): Promise<void> {
  const cursors: Cursors = {}
  let failures = 0
  while (!signal.aborted) {
    const ended: RunResult | undefined = await runOnce(deps, { instrument, cursors, signal }).catch(() => undefined)
    deps.onLive(false)
    if (ended?.isFinal === true) return
    failures = ended?.hasData === true ? 0 : failures + 1
    await pause(Math.min(WAIT_MAX_MS, WAIT_MIN_MS * 2 ** failures), signal)
  }
}

type Run = { instrument: Followed; cursors: Cursors; signal: AbortSignal }
/** `isFinal`: the subscription to trades was refused (an error with its id), another attempt has the same result. */
type RunResult = { cursors: Cursors; hasData: boolean; isFinal: boolean }

/** Reads one connection until it ends. */
async function runOnce(deps: MarketStreamDeps, { instrument, cursors, signal }: Run): Promise<RunResult> {
  const ticket = await deps.openTicket(signal)
  signal.throwIfAborted()
  const socket = deps.openSocket(ticket)
  const state: RunResult = { cursors, hasData: false, isFinal: false }
  return new Promise((resolve) => {
    let silence = setTimeout(close, SILENT_MS)
    function close(): void {
      clearTimeout(silence)
      signal.removeEventListener('abort', close)
      socket.close()
      resolve(state)
    }
    signal.addEventListener('abort', close)
    socket.addEventListener('open', () => {
      for (const one of subscriptions(instrument, cursors)) socket.send(JSON.stringify(one))
    })
    socket.addEventListener('close', close)
    socket.addEventListener('message', ({ data }) => {
      clearTimeout(silence)
      silence = setTimeout(close, SILENT_MS)
      const message = parse(data)
      if (message !== undefined) take(deps, state, message)
      if (state.isFinal) close()
    })
  })
}

function subscriptions({ venue, symbol, hasBook }: Followed, cursors: Cursors): Subscribe[] {
  const named = { op: 'subscribe' as const, venues: [venue], symbols: [symbol] }
  const tape: Subscribe = { ...named, id: TAPE, channel: 'trades', cursor: cursors[TAPE] ?? null }
  const book: Subscribe = { ...named, id: BOOK, channel: 'book.10', cursor: cursors[BOOK] ?? null }
  return hasBook ? [tape, book] : [tape]
}

function take(deps: MarketStreamDeps, state: RunResult, message: ServerMessage): void {
  if ('cursor' in message) state.cursors[message.id] = message.cursor
  if ('cursors' in message) Object.assign(state.cursors, message.cursors)
  if ('id' in message && message.id === BOOK) takeBook(deps, state, message)
  else takeTrades(deps, state, message)
}

function takeBook(deps: MarketStreamDeps, state: RunResult, message: ServerMessage): void {
  if (message.type === 'book.10') deps.onBook(message.data.filter(isBookChange))
  if (message.type !== 'error') return
  state.cursors[BOOK] = undefined
  deps.onBookEnd()
}

/** Events of books have flags, changes of books have none. */
function isBookChange(record: Streamed): record is Extract<Streamed, BookChange> {
  return 'gap' in record && !('flags' in record)
}

function takeTrades(deps: MarketStreamDeps, state: RunResult, message: ServerMessage): void {
  if (message.type === 'error' && message.id === TAPE) state.isFinal = true
  if (message.type === 'subscribed') deps.onLive(true)
  if (message.type !== 'trades' && message.type !== 'late') return
  state.hasData = true
  deps.onTrades(message.data.filter((record) => 'price' in record))
}

/** Messages follow the contract; a message that is not JSON is ignored. */
function parse(data: unknown): ServerMessage | undefined {
  try {
    return typeof data === 'string' ? (JSON.parse(data) as ServerMessage) : undefined
  } catch {
    return undefined
  }
}
