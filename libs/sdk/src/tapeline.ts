import { listByPost, RecordList, type ListOptions } from './record-list.ts'
import { Stream, type StreamFilter, type StreamOptions } from './stream.ts'
import { type Call, type CallOptions, type ClientOptions, Transport } from './transport.ts'
import type { BookChange } from './book-change.ts'
import type {
  Bar,
  BarPage,
  Book,
  DataFile,
  Instrument,
  L2Event,
  L2EventPage,
  LimitsReport,
  ListBarsBody,
  ListFilesAnswer,
  ListFilesQuery,
  ListInstrumentsAnswer,
  ListL2EventsBody,
  ListQuotesBody,
  ListTradesBody,
  Quote,
  QuotePage,
  ReadBookAnswer,
  ReadBookBody,
  ReadLimitsAnswer,
  Trade,
  TradePage,
} from './types.ts'

type FilePage = ListFilesAnswer & { has_more: boolean }

/** Bars as they form; the last one with an `id` is valid. */
type BarChannel = 'bars.1s' | 'bars.1m' | 'bars.5m' | 'bars.1h' | 'bars.1d'
type BookChannel = 'book.10' | 'book.50' | 'book.full'

/** When the record was sent, in the stream's time format. */
type Streamed<Item> = Item & { ts_out: string }

/**
 * The Tapeline API. Prices and sizes are decimal strings, sequences digit strings: a `number` would lose digits.
 * Times are RFC 3339 with nanoseconds (see `toNanoseconds`).
 *
 *     const tapeline = new Tapeline({ apiKey: 'tl_live_…' })
 */
export class Tapeline {
  private readonly transport: Transport

  constructor(options: ClientOptions = {}) {
    this.transport = new Transport(options)
  }

  readonly trades = {
    /** Trades over all pages, oldest first unless `order` is `desc`. */
    list: (filter: ListTradesBody = {}, options: ListOptions = {}): RecordList<Trade, TradePage> =>
      listByPost(this.transport, { path: '/api/v1/trades/list', filter, options }),
  }

  readonly bars = {
    /** Time, tick, volume or dollar bars over all pages; one-minute bars by default. */
    list: (filter: ListBarsBody = {}, options: ListOptions = {}): RecordList<Bar, BarPage> =>
      listByPost(this.transport, { path: '/api/v1/trades/bars', filter, options }),
  }

  readonly l2events = {
    /** Order-book snapshots and changes over all pages. */
    list: (
      filter: Omit<ListL2EventsBody, 'layout'> = {},
      options: ListOptions = {},
    ): RecordList<L2Event, L2EventPage> =>
      listByPost(this.transport, { path: '/api/v1/l2events/list', filter, options }),
    /** The order book of an instrument at a moment, or the gap that makes it unknown. */
    book: async (at: ReadBookBody, options: CallOptions = {}): Promise<Book> => {
      const call: Call = { method: 'POST', path: '/api/v1/l2events/book', body: at }
      return (await this.transport.json<ReadBookAnswer>(call, options)).data
    },
  }

  readonly quotes = {
    /** Changes of the best bid and offer over all pages. */
    list: (filter: ListQuotesBody = {}, options: ListOptions = {}): RecordList<Quote, QuotePage> =>
      listByPost(this.transport, { path: '/api/v1/quotes/list', filter, options }),
  }

  readonly instruments = {
    list: async (options: CallOptions = {}): Promise<Instrument[]> =>
      (await this.call<ListInstrumentsAnswer>({ method: 'GET', path: '/api/v1/instruments' }, options)).data,
  }

  readonly files = {
    /** Sealed days as Parquet files, oldest first. `downloadFile` of `@tapeline/client/node` stores one. */
    list: (filter: ListFilesQuery = {}, options: ListOptions = {}): RecordList<DataFile, FilePage> =>
      new RecordList(
        async (cursor) => {
          const query = cursor === null ? { ...filter } : { ...filter, cursor }
          const page = await this.call<ListFilesAnswer>({ method: 'GET', path: '/api/v1/files', query }, options)
          return { ...page, has_more: page.next_cursor !== null }
        },
        options,
        filter.cursor,
      ),
    /** The bytes of a file from `offset` on, as an answer whose body is still to be read. */
    open: async (id: string, offset = 0, options: CallOptions = {}): Promise<Response> =>
      this.transport.open(
        {
          method: 'GET',
          path: `/api/v1/files/${encodeURIComponent(id)}`,
          headers: offset === 0 ? {} : { range: `bytes=${offset}-` },
          accept: '*/*',
        },
        options,
      ),
  }

  readonly limits = {
    /** The remaining quota of every limit of the account and the key. */
    read: async (options: CallOptions = {}): Promise<LimitsReport> =>
      (await this.call<ReadLimitsAnswer>({ method: 'GET', path: '/api/v1/limits' }, options)).data,
  }

  /** A live stream that continues where it stopped. */
  stream(filter: StreamFilter & { channel: 'trades' }, options?: StreamOptions): Stream<Streamed<Trade>>
  stream(filter: StreamFilter & { channel: 'l2events' }, options?: StreamOptions): Stream<Streamed<L2Event>>
  stream(filter: StreamFilter & { channel: 'bbo' }, options?: StreamOptions): Stream<Streamed<Quote>>
  stream(filter: StreamFilter & { channel: BookChannel }, options?: StreamOptions): Stream<Streamed<BookChange>>
  stream(filter: StreamFilter & { channel: BarChannel }, options?: StreamOptions): Stream<Streamed<Bar>>
  /** A channel that is known only when the program runs. */
  stream(filter: StreamFilter, options?: StreamOptions): Stream<object>
  stream(filter: StreamFilter, options?: StreamOptions): Stream<object> {
    return new Stream(this.transport, filter, options)
  }

  /**
   * Any other call of the API, with errors like the others. GET is retried, and so is a creation with `idempotencyKey`; a
   * broken connection cannot repeat any other write.
   */
  async call<Result>(call: Call, options: CallOptions = {}): Promise<Result> {
    const isRepeatable = call.method === 'GET' || call.idempotencyKey !== undefined
    return this.transport.json<Result>(call, isRepeatable ? options : { ...options, retriesMax: 0 })
  }
}
