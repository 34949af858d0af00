import { readEvents, type ServerEvent } from './event-stream.ts'
import { readBody } from './read-body.ts'
import { type Problem, TapelineError } from './tapeline-error.ts'
import { pause } from './timers.ts'
import type { CallOptions, Transport } from './transport.ts'

export type StreamFilter = {
  channel: string
  venues?: readonly string[]
  symbols?: readonly string[]
  /** Inclusive; without it and without a cursor the stream begins now. */
  start?: string
  /** Cursor of a list call or of a stream: continues after its last record. */
  cursor?: string | null
  time_format?: 'rfc3339' | 'unix_ns'
  side?: string
  types?: readonly string[]
  depth?: number
}

export type StreamOptions = Pick<CallOptions, 'signal'> & {
  /**
   * Waiting time without data after which the connection is replaced, in milliseconds. The time between two batches that
   * the consumer needs does not count. Default 25,000 (2.5 heartbeats).
   */
  silenceMs?: number
  /**
   * Called for everything except records: `subscribed`, `catch_up`, `heartbeat`, `late`, and `reconnecting`, which has the
   * `error` and `pauseMs`, the time until the next connection. An exception ends the stream.
   */
  onNotice?: (notice: { type: string; [field: string]: unknown }) => void
}

/** Records that arrived together. `cursor` continues after the last one, here or over the list call. */
export type Batch<Item> = { data: Item[]; cursor: string }

const SILENCE_MS = 25_000
const PATH = '/api/v1/stream'
const PAUSE_MS = 250
const PAUSE_MAX_MS = 15_000
/** Problems that retrying cannot solve: the filter, the key or the plan must change. */
const FINAL_STATUSES = new Set([400, 401, 403, 404, 406, 410, 422])

/**
 * A live stream that continues where it stopped: after a cut, a restart of the server or `slow_consumer` it connects
 * again with the cursor of the last batch that was taken, so that no record is missing or repeated.
 *
 *     for await (const trade of tapeline.stream({ channel: 'trades', symbols: ['BTC-USDT'] })) …
 */
export class Stream<Item> implements AsyncIterable<Item> {
  /** Continues after the last batch that was taken whole; store it to continue in another process. */
  cursor: string | null
  private readonly transport: Transport
  private readonly filter: StreamFilter
  private readonly options: StreamOptions
  private errorOfCaller: unknown
  /** The server accepted the key of this connection. */
  private isAccepted = false

  constructor(transport: Transport, filter: StreamFilter, options: StreamOptions = {}) {
    this.transport = transport
    this.filter = filter
    this.options = options
    this.cursor = filter.cursor ?? null
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const batch of this.batches()) yield* batch.data
  }

  /** @throws TapelineError if the stream cannot continue: the filter, the key or the plan does not allow it */
  async *batches(): AsyncGenerator<Batch<Item>, void, undefined> {
    for (let failures = 0; ; failures += 1) {
      let failure: TapelineError | undefined
      try {
        for await (const batch of this.connection()) {
          failures = 0
          yield batch
          this.cursor = batch.cursor
        }
      } catch (error) {
        this.options.signal?.throwIfAborted()
        if (error === this.errorOfCaller || !this.canPass(error)) throw error
        failure = error
      }
      const pauseMs = pauseBefore(failures, failure?.retryAfterMs)
      if (failure !== undefined) this.notify({ type: 'reconnecting', error: failure, cursor: this.cursor, pauseMs })
      await pause(pauseMs, this.options.signal)
    }
  }

  private async *connection(): AsyncGenerator<Batch<Item>, void, undefined> {
    const { signal, silenceMs = SILENCE_MS } = this.options
    this.isAccepted = false
    const answer = await this.transport.open(
      { method: 'GET', path: PATH, query: this.query(), accept: 'text/event-stream' },
      // The stream itself tries again, and reports it.
      { retriesMax: 0, ...(signal === undefined ? {} : { signal }) },
    )
    this.isAccepted = true
    for await (const event of readEvents(readBody(answer, 'stream', silenceMs))) {
      const batch = this.take(event)
      if (batch !== undefined) yield batch
    }
  }

  /** The batch of an event; other events move the cursor or are passed on. @throws TapelineError for `error` */
  private take({ type, data }: ServerEvent): Batch<Item> | undefined {
    const message = messageOf(data)
    if (type === this.filter.channel) return message as unknown as Batch<Item>
    if (type === 'error') throw failureOf(message['problem'] as Problem)
    this.cursor = positionOf(type, message) ?? this.cursor
    this.notify({ ...message, type })
    return undefined
  }

  /** @throws what the caller's function throws, which ends the stream */
  private notify(notice: { type: string; [field: string]: unknown }): void {
    try {
      this.options.onNotice?.(notice)
    } catch (error) {
      this.errorOfCaller = error
      throw error
    }
  }

  /** A function may return a new key for one that has expired since the connection began, such as an access token. */
  private canPass(error: unknown): error is TapelineError {
    if (!(error instanceof TapelineError)) return false
    const isExpired = error.status === 401 && this.isAccepted && this.transport.hasKeyFunction
    return isExpired || error.status === undefined || !FINAL_STATUSES.has(error.status)
  }

  private query(): Record<string, string | number | undefined> {
    const { venues, symbols, types, cursor: _cursor, ...rest } = this.filter
    return {
      ...rest,
      ...(venues === undefined ? {} : { venues: venues.join(',') }),
      ...(symbols === undefined ? {} : { symbols: symbols.join(',') }),
      ...(types === undefined ? {} : { types: types.join(',') }),
      ...(this.cursor === null ? {} : { cursor: this.cursor, start: undefined }),
    }
  }
}

/** The cursor of a message, which is after all records sent before it. */
function positionOf(type: string, { cursor, cursors }: { [field: string]: unknown }): string | undefined {
  const found: unknown = type === 'subscribed' ? cursor : Object.values(cursors ?? {})[0]
  return typeof found === 'string' ? found : undefined
}

function messageOf(data: string): { [field: string]: unknown } {
  try {
    return JSON.parse(data) as { [field: string]: unknown }
  } catch (cause) {
    throw new TapelineError('client.damaged', 'A message of the stream is not JSON.', { kind: 'damaged', cause })
  }
}

function failureOf(problem: Problem): TapelineError {
  return new TapelineError(problem.code, problem.detail, {
    kind: 'answer',
    problem,
    status: problem.status,
    requestId: problem.request_id,
  })
}

/** Short after a working stream, then longer, with jitter: after a restart all clients reconnect together. */
function pauseBefore(failures: number, retryAfterMs = 0): number {
  const backoffMs = Math.random() * Math.min(PAUSE_MAX_MS, PAUSE_MS * 2 ** failures)
  return Math.max(backoffMs, retryAfterMs)
}
