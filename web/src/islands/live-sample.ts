import type { Sample, SampleSymbols } from '@tapeline/contracts/market-data/http'
import { showAnswer, showClaims } from './live-sample/answer.ts'
import { createFollower } from './live-sample/follow-sample.ts'
import { createTabs } from './live-sample/tabs.ts'
import { createTape } from './live-sample/tape.ts'
import { createTradeTable } from './live-sample/trade-table.ts'
import { median } from './live-sample/median.ts'
import { poll } from './parts/poll.ts'
import { apiAddress, call, CallError, type Reply } from './parts/call.ts'
import { make, partOf, setText } from './parts/dom.ts'
import { formatMs, type Words, wordsOf } from './parts/words.ts'

/** Without a stream: 24 calls a minute, below the throttle of samples per address. */
const POLL_EVERY_MS = 2_500
const DURATIONS_MAX = 200
const SAMPLE = '/api/v1/sample'

type Tape = { symbol: string | undefined; newest: string | undefined }

/**
 * The public tape: the trades of the call that the page shows, with its measured duration, then those of the stream.
 * Without a stream the call is repeated.
 */
export function start(root: HTMLElement): void {
  const words = wordsOf(root)
  const show = createShow(root, words)
  const now: Tape = { symbol: undefined, newest: undefined }
  const bar = partOf(root, 'feed-bar')
  if (bar === undefined) return
  const follower = createFollower((symbol, trades, newestBefore) => {
    if (symbol !== now.symbol) return
    show.trades(symbol, trades, newestBefore)
    now.newest = trades[0]?.sequence
  })
  const choose = (symbol: string): void => {
    follower.stop()
    now.symbol = symbol
    now.newest = undefined
    show.chosen(symbol)
    void load().catch(show.failed)
  }
  const tabs = createTabs(bar, words('symbol'), choose)

  async function load(): Promise<void> {
    if (now.symbol === undefined) {
      const { symbols } = (await call<SampleSymbols>(SAMPLE)).body
      const [first] = symbols
      if (first === undefined) return show.nothing()
      tabs.fill(symbols)
      return choose(first)
    }
    const requestedSymbol = now.symbol
    const reply = await call<Sample>(`${SAMPLE}/${encodeURIComponent(requestedSymbol)}`)
    if (requestedSymbol !== now.symbol) return
    show.answered(requestedSymbol, reply, now.newest)
    now.newest = reply.body.data[0]?.sequence
    follower.follow(requestedSymbol, reply.body.data)
  }
  poll(POLL_EVERY_MS, async () => {
    if (!follower.isOpen()) await load().catch(show.failed)
  })
}

function createShow(root: HTMLElement, words: Words) {
  const tape = createTape(partOf(root, 'tape'), words)
  const table = createTradeTable(partOf(root, 'trades'), words)
  const state = make('span', { class: 'end only-wide' })
  partOf(root, 'feed-bar')?.append(state)
  const durations: number[] = []

  function showTrades(symbol: string, trades: Sample['data'], newestBefore: string | undefined): void {
    tape.show(trades, newestBefore)
    table.show(symbol, trades)
    showClaims(root, trades)
    state.replaceChildren(make('span', { class: 'state state-live' }, words('live')))
  }

  return {
    trades: showTrades,
    chosen: (symbol: string): void => {
      tape.clear()
      const command = root.querySelector('#try-command')
      // curl uses http by default; without the scheme the line fits.
      if (command !== null) command.textContent = `curl ${shellAddress(`${SAMPLE}/${encodeURIComponent(symbol)}`)}`
    },
    answered: (symbol: string, { body, status, durationMs }: Reply<Sample>, newestBefore: string | undefined): void => {
      showTrades(symbol, body.data, newestBefore)
      showAnswer(root, symbol, body.data, words)
      showCall(root, status, durationMs)
      durations.push(durationMs)
      showMedian(root, durations.slice(-DURATIONS_MAX), words)
    },
    nothing: (): void => table.showMessage(words('none')),
    failed: (error: unknown): void => {
      state.replaceChildren(make('span', { class: 'state state-off' }, words('paused')))
      const message = error instanceof CallError && error.message !== '' ? error.message : words('failed')
      const foot = partOf(root, 'foot')
      if (durations.length === 0) table.showMessage(message)
      else if (foot !== undefined) foot.title = message
    },
  }
}

function shellAddress(path: string): string {
  const address = apiAddress(path)
  return (address.startsWith('/') ? location.origin + address : address).replace(/^http:\/\//, '')
}

function showCall(root: HTMLElement, status: number, durationMs: number): void {
  const foot = partOf(root, 'foot')
  if (foot === undefined) return
  foot.hidden = false
  setText(foot, 'status', String(status))
  setText(foot, 'ms', formatMs(durationMs))
}

function showMedian(root: HTMLElement, durations: readonly number[], words: Words): void {
  const typical = median(durations)
  if (typical === undefined) return
  setText(root, 'response-detail', words('calls', { count: durations.length, ms: formatMs(typical) }))
}
