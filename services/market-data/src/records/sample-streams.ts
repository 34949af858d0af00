import type { ServerResponse } from 'node:http'
import { withoutCancellation } from '@tapeline/database/cancel'
import { AppError } from '@tapeline/service/app-error'
import type { Logger } from '@tapeline/service/logger'
import { STREAM_TYPE } from '@tapeline/contracts/market-data/stream'
import type { Readers } from '../simulator/readers.ts'
import type { Samples, SampleTrade } from './sample-trades.ts'

/** A client with more unread bytes is disconnected; it reconnects with the id of its last event. */
const WAITING_BYTES_MAX = 256 * 1024
const POLL_INTERVAL_MS = 250
/** Gateways throttle openings by address: with this the throttle bounds open streams too. */
const OPEN_FOR_MS = 60_000
const OPEN_MAX = 1_000
/** A client that does not read the end of the stream is disconnected after this time. */
const CLOSE_WITHIN_MS = 5_000
/** Reconnection delay for clients. */
const RETRY_MS = 250

type Reader = { response: ServerResponse; after: number; endsAtMs: number }

/**
 * The samples as server-sent events, for anyone: new trades as they are stored, from the response that all callers
 * share. A stream ends after a minute, and the browser reconnects automatically with `Last-Event-ID`.
 */
export class SampleStreams {
  private readonly readers = new Map<string, Set<Reader>>()
  private readonly samples: Samples
  private readonly logger: Logger
  private readonly announce: Readers | undefined
  private timer: NodeJS.Timeout | undefined
  private isLooking = false

  /** `announce` is called as long as a stream is open, so that the simulator keeps producing trades every second. */
  constructor(samples: Samples, logger: Logger, announce?: Readers) {
    this.samples = samples
    this.logger = logger
    this.announce = announce
  }

  /** `after`: the sequence of the last trade that the client has; without it the stream begins with the newest trades. */
  async open(symbol: string, after: number | undefined, response: ServerResponse): Promise<void> {
    const newestTrades = await this.samples.trades(symbol)
    if (this.count() >= OPEN_MAX) {
      const message = 'Too many sample streams are open. Request the newest trades instead.'
      throw new AppError('service.unavailable', message, { retryAfterSeconds: OPEN_FOR_MS / 1_000, isPartial: true })
    }
    const newest = newestTrades[0]?.sequence ?? 0
    // A sequence beyond the newest one comes from another installation.
    const place = after === undefined || after > newest ? 0 : after
    const reader = { response, after: place, endsAtMs: performance.now() + OPEN_FOR_MS }
    response.writeHead(200, { 'content-type': STREAM_TYPE, 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
    response.write(`retry: ${RETRY_MS}\n\n`)
    const all = this.readers.get(symbol) ?? new Set()
    this.readers.set(symbol, all.add(reader))
    for (const event of ['close', 'error']) response.on(event, () => this.removeReader(symbol, reader))
    send(reader, newestTrades)
    // The timer serves all readers and must not be cancelled with the first of them.
    withoutCancellation(() => (this.timer ??= setInterval(() => void this.poll(), POLL_INTERVAL_MS)))
  }

  stop(): void {
    clearInterval(this.timer)
    for (const all of this.readers.values()) for (const { response } of all) response.end()
  }

  private count(): number {
    return [...this.readers.values()].reduce((sum, { size }) => sum + size, 0)
  }

  private removeReader(symbol: string, reader: Reader): void {
    const all = this.readers.get(symbol)
    all?.delete(reader)
    if (all?.size === 0) this.readers.delete(symbol)
    if (this.readers.size > 0) return
    clearInterval(this.timer)
    this.timer = undefined
  }

  private async poll(): Promise<void> {
    if (this.isLooking) return
    this.isLooking = true
    this.announce?.note()
    try {
      for (const [symbol, all] of this.readers) {
        const trades = await this.samples.trades(symbol)
        for (const reader of all) send(reader, trades)
      }
    } catch (err) {
      this.logger.warn({ err }, 'sample streams: new trades could not be read; retrying')
    } finally {
      this.isLooking = false
    }
  }
}

/** `trades`: newest first. */
function send(reader: Reader, trades: readonly SampleTrade[]): void {
  const { response, after, endsAtMs } = reader
  if (response.writableEnded) {
    if (performance.now() > endsAtMs + CLOSE_WITHIN_MS) response.destroy()
    return
  }
  const fresh = trades.filter(({ sequence }) => sequence > after)
  const [newest] = fresh
  if (newest !== undefined) {
    reader.after = newest.sequence
    const json = `{"type":"trades","data":[${fresh.map((trade) => trade.json).join(',')}]}`
    response.write(`id: ${newest.sequence}\nevent: trades\ndata: ${json}\n\n`)
  }
  if (response.writableLength > WAITING_BYTES_MAX) response.destroy()
  else if (performance.now() > endsAtMs) response.end('event: goodbye\ndata: {"type":"goodbye","reason":"restart"}\n\n')
}
