import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { Bar, BarPage, Tapeline, Trade, TradePage } from '@tapeline/client'
import { z } from 'zod'
import { answerTool, boundedList, READS } from './answer-tool.ts'

const ROWS_DEFAULT = 50
const ROWS_MAX = 500
/** About 20,000 bytes. */
const COVERAGE_MAX = 100
const LEVELS_DEFAULT = 10
const LEVELS_MAX = 100

const time = z.string().describe('RFC 3339 in UTC, such as 2026-01-02T03:04:05Z, or a date.')
const venue = z.string().describe('Venue, such as sim or coinbase; see list_instruments.')
const symbol = z.string().describe('Symbol, such as BTC-USDT; see list_instruments.')
const rows = z.int().min(1).max(ROWS_MAX).default(ROWS_DEFAULT).describe('Maximum number of rows.')
const COVERAGE_TEXT =
  'coverage has the parts of the range whose data is missing, with the reason: no rows there does not mean no trades.'
/** The schemas of tools are strict: an ignored `symbol` instead of `symbols` would return other instruments too. */
const range = {
  venues: z.array(venue).max(50).exactOptional(),
  symbols: z.array(symbol).max(50).exactOptional(),
  start: time.exactOptional().describe('Inclusive start of the range: RFC 3339 in UTC, or a date.'),
  end: time.exactOptional().describe('Exclusive end of the range: RFC 3339 in UTC, or a date.'),
  order: z.enum(['asc', 'desc']).default('desc').describe('desc: newest first.'),
  limit: rows,
  cursor: z
    .string()
    .exactOptional()
    .describe('next_cursor of the previous response, with the same arguments as before.'),
}

/** Tools that an API key allows: instruments, trades, bars, books and the state of limits. */
export function addMarketDataTools(server: McpServer, tapeline: Tapeline): void {
  addInstruments(server, tapeline)
  server.registerTool(
    'list_trades',
    {
      title: 'List trades',
      description: `Trades with price, size and side of the taker. ${COVERAGE_TEXT} Needs the scope trades:read.`,
      inputSchema: z.strictObject({ ...range, side: z.enum(['buy', 'sell', 'unknown']).exactOptional() }),
      annotations: READS,
    },
    async (filter, { signal }) =>
      answerTool(async () => {
        const { value } = await tapeline.trades.list(definedFields(filter), { signal }).pages().next()
        return presentPage<Trade>(value ?? undefined)
      }),
  )
  server.registerTool(
    'list_bars',
    {
      title: 'List bars',
      description: `Open, high, low, close and volume per interval. ${COVERAGE_TEXT} Needs the scope trades:read.`,
      inputSchema: z.strictObject({
        ...range,
        interval: z
          .enum(['1s', '5s', '10s', '15s', '30s', '1m', '5m', '10m', '15m', '30m', '1h', '2h', '4h', '6h', '12h', '1d'])
          .default('1m'),
      }),
      annotations: READS,
    },
    async (filter, { signal }) =>
      answerTool(async () => {
        const { value } = await tapeline.bars.list(definedFields(filter), { signal }).pages().next()
        return presentPage<Bar>(value ?? undefined)
      }),
  )
  addBook(server, tapeline)
  server.registerTool(
    'read_limits',
    { title: 'Read limits', description: 'Used and remaining requests of every limit of the key.', annotations: READS },
    async ({ signal }) => answerTool(async () => tapeline.limits.read({ signal })),
  )
}

function addInstruments(server: McpServer, tapeline: Tapeline): void {
  server.registerTool(
    'list_instruments',
    {
      title: 'List instruments',
      description: 'Venues and symbols with tick, lot, kind, and the first and last stored time.',
      inputSchema: z.strictObject({
        venue: venue.exactOptional(),
        search: z.string().default('').describe('Part of a symbol, in any case; all by default.'),
        limit: rows,
      }),
      annotations: READS,
    },
    async ({ venue: requestedVenue, search, limit }, { signal }) =>
      answerTool(async () => {
        const part = search.toUpperCase()
        const found = (await tapeline.instruments.list({ signal })).filter(
          (one) =>
            (requestedVenue === undefined || one.venue === requestedVenue) && one.symbol.toUpperCase().includes(part),
        )
        return boundedList(found.slice(0, limit), { found: found.length })
      }),
  )
}

function addBook(server: McpServer, tapeline: Tapeline): void {
  server.registerTool(
    'read_book',
    {
      title: 'Read an order book',
      description: 'Best bids and asks of one instrument at a moment, now by default. Needs the scope l2events:read.',
      inputSchema: z.strictObject({
        venue,
        symbol,
        at: time.exactOptional().describe('Moment of the book: RFC 3339 in UTC. Default: now.'),
        depth: z.int().min(1).max(LEVELS_MAX).default(LEVELS_DEFAULT).describe('Levels per side.'),
      }),
      annotations: READS,
    },
    async (at, { signal }) => answerTool(async () => tapeline.l2events.book(at, { signal })),
  )
}

/** A cursor contains its filter, so only the number of rows is sent with it. */
function definedFields<Filter extends { cursor?: string | undefined; limit: number }>(given: Filter) {
  const { cursor, ...filter } = given
  return cursor === undefined ? filter : { cursor, limit: given.limit }
}

/** Gaps and warnings explain rows that are missing: without them an empty range looks like one without trades. */
function presentPage<Item extends Bar | Trade>(page: BarPage | TradePage | undefined): object {
  if (page === undefined) throw new Error('The list has no first page.')
  const { data, next_cursor, has_more, complete_through, warnings, request_id } = page
  return boundedList<Item>(data as Item[], {
    next_cursor,
    has_more,
    complete_through,
    ...incompleteCoverage(page),
    warnings,
    request_id,
  })
}

/** The coverage of missing data, gaps first, at most {@link COVERAGE_MAX}; `coverage_omitted` counts the others. */
function incompleteCoverage({ coverage }: Pick<TradePage, 'coverage'>): object {
  const gaps = coverage.filter(({ state }) => state === 'gap')
  const others = coverage.filter(({ state, reason }) => state !== 'gap' && reason !== null)
  const found = [...gaps, ...others]
  const omitted = Math.max(0, found.length - COVERAGE_MAX)
  return { coverage: found.slice(0, COVERAGE_MAX), ...(omitted === 0 ? {} : { coverage_omitted: omitted }) }
}
