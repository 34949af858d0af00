import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '@tapeline/service/logger'
import { gapOf, MISSING_MAX } from '../book/trade-chain.ts'
import type { FeedReader, InstrumentOutput, Market } from '../feed-reader.ts'
import { FLAGS } from '../../store/record.ts'
import type { Feed, Hole, MissingIds } from '../feeds/feed.ts'
import { type Backoff, createBackoff } from './backoff.ts'
import type { RawFrames } from './raw-frames.ts'
import type { RestClient } from './rest-client.ts'

/** After this time without an update, a quiet market requests its snapshot itself. */
const QUIET_MS = 2_000
/** After this time without a snapshot, the subscription is repeated. */
const SNAPSHOT_WITHIN_MS = 15_000
const TRADE_ATTEMPTS = 4

export type RecoveryDeps = {
  feed: Feed
  reader: FeedReader
  rest: RestClient
  clock: () => string
  raw: RawFrames
  logger: Logger
  random: () => number
  /** Publishes the output and performs the requested action. */
  handle: (outputs: readonly InstrumentOutput[]) => void
  /** Reports a problem to operators; the next one replaces it. */
  fail: (reason: string) => void
}

/** An open connection; requests that began on it end with it. */
export type Connection = { send: (text: string) => void; signal: AbortSignal }

/** Requests snapshots and missed trades of a feed's instruments, with pauses; one attempt per instrument at a time. */
export function createRecovery(deps: RecoveryDeps) {
  const backoffs = new Map<Market, Backoff>()

  function backoffOf(market: Market): Backoff {
    const backoff = backoffs.get(market) ?? createBackoff({ random: deps.random, nowMs: () => performance.now() })
    backoffs.set(market, backoff)
    return backoff
  }

  return {
    opened(market: Market, { signal }: Connection): void {
      void catchUp(deps, market, signal)
      deps.handle([deps.reader.step(market, market.book.opened())])
      if (deps.feed.snapshot === undefined) void failWithoutSnapshot(deps, market, signal)
      else void later(QUIET_MS, signal, () => deps.handle([deps.reader.step(market, market.book.quiet())]))
    },
    /** Performs the action requested by the step of a book. */
    follow(market: Market, wants: InstrumentOutput['wants'], connection: Connection): void {
      if (market.book.phase() === 'live') backoffOf(market).succeeded()
      if (wants === 'nothing') return
      if (wants === 'snapshot') return void takeSnapshot(deps, market, connection)
      const retry = () => deps.handle([deps.reader.step(market, market.book.retry())])
      void later(backoffOf(market).nextMs(), connection.signal, retry)
    },
    /** Requests trades that were missed, for as long as the process runs: independently of connections. */
    fetchTrades: (market: Market, missing: Hole, signal: AbortSignal) =>
      void fetchTrades(deps, market, missing, signal),
  }
}

async function later(pauseMs: number, signal: AbortSignal, work: () => void): Promise<void> {
  await delay(pauseMs, undefined, { signal }).then(work, () => undefined)
}

async function takeSnapshot(deps: RecoveryDeps, market: Market, { send, signal }: Connection): Promise<void> {
  const { feed, reader, rest, clock, raw, handle } = deps
  const { venueSymbol, symbol } = market.instrument
  if (feed.snapshot === undefined) {
    for (const text of feed.resubscribe?.(venueSymbol) ?? []) send(text)
    return failWithoutSnapshot(deps, market, signal)
  }
  try {
    const body = await rest.get(feed.snapshot.request(venueSymbol))
    if (signal.aborted) return
    const tsRecv = clock()
    raw.write(tsRecv, `snapshot:${venueSymbol}`, body)
    const snapshot = feed.snapshot.read(body, { tsRecv, flags: 0 })
    handle(reader.messages([{ kind: 'snapshot', venueSymbol, snapshot }]))
  } catch (error) {
    if (signal.aborted) return
    deps.fail(
      `book snapshot of ${symbol} could not be fetched: ${error instanceof Error ? error.message : String(error)}`,
    )
    handle([reader.step(market, market.book.snapshotFailed())])
  }
}

function failWithoutSnapshot({ reader, handle }: RecoveryDeps, market: Market, signal: AbortSignal): Promise<void> {
  return later(SNAPSHOT_WITHIN_MS, signal, () => handle([reader.step(market, market.book.snapshotFailed())]))
}

/**
 * Trades since the last one before the connection: the next trade would reveal the hole, but in a quiet market it may
 * be late.
 */
async function catchUp(deps: RecoveryDeps, market: Market, signal: AbortSignal): Promise<void> {
  const last = market.trades.last()
  const { pageMax = 0 } = deps.feed.missedTrades ?? {}
  if (last === undefined || pageMax === 0) return
  try {
    await fetchPages(deps, market, { from: last.id + 1, to: last.id + MISSING_MAX, since: last.tsEvent, signal })
  } catch (error) {
    if (signal.aborted) return
    const { symbol } = market.instrument
    deps.logger.warn(
      { feed: deps.feed.name, symbol, error: String(error) },
      'venue connector: trades since the last stored one could not be fetched; the next trade reveals the gap',
    )
  }
}

type Pages = MissingIds & { signal: AbortSignal; onPage?: (missingNow: MissingIds) => void }

/** Fetches pages until the last id, or until a page adds nothing. */
async function fetchPages(deps: RecoveryDeps, market: Market, { signal, onPage, ...missing }: Pages): Promise<void> {
  const { feed, reader, rest, clock, handle } = deps
  const { venueSymbol } = market.instrument
  const source = feed.missedTrades
  let remaining: MissingIds = missing
  while (source !== undefined && remaining.from <= remaining.to && !signal.aborted) {
    const body = await rest.get(source.request(venueSymbol, remaining))
    const trades = source
      .read(body, { tsRecv: clock(), flags: FLAGS.late })
      .filter(({ id }) => id >= remaining.from && id <= remaining.to)
      .toSorted((one, other) => one.id - other.id)
    const last = trades.at(-1)
    if (last === undefined) return
    handle(reader.messages([{ kind: 'trades', venueSymbol, trades }]))
    remaining = { ...remaining, from: last.id + 1, since: last.trade?.tsEvent ?? remaining.since }
    onPage?.(remaining)
  }
}

async function fetchTrades(deps: RecoveryDeps, market: Market, missing: Hole, signal: AbortSignal): Promise<void> {
  const { feed, reader, random, logger, handle, fail } = deps
  const { symbol } = market.instrument
  const backoff = createBackoff({ random, nowMs: () => performance.now() })
  let missingNow: MissingIds = missing
  for (let attempt = 1; feed.missedTrades !== undefined && attempt <= TRADE_ATTEMPTS && !signal.aborted; attempt += 1) {
    try {
      await fetchPages(deps, market, { ...missingNow, signal, onPage: (remaining) => (missingNow = remaining) })
      break
    } catch (error) {
      if (signal.aborted) break
      logger.warn(
        { feed: feed.name, symbol, error: String(error) },
        'venue connector: missed trades could not be fetched; retrying',
      )
      await delay(backoff.nextMs(), undefined, { signal }).catch(() => undefined)
    }
  }
  // The gap remains open: the next session requests its trades.
  if (signal.aborted) return
  const gap = market.trades.giveUp(missing)
  // The gap was published when it was detected. Again, it is closed if its trades arrived out of order over the socket.
  handle([reader.lose(market, [gap ?? gapOf(missing)])])
  if (gap === undefined) return
  logger.error(
    { feed: feed.name, symbol, ...gap },
    'venue connector: trades are lost, because the venue no longer provides them; recorded as a gap',
  )
  fail(`${gap.missing} trades of ${symbol} are lost: the venue no longer provides them`)
}
