import type { FeedReport, Venue, VenueFeed } from '@tapeline/contracts/market-data/venues'
import type { Deps } from '../../deps.ts'
import type { VenueRow } from '../../tables.ts'
import { FEEDS_OF_VENUE } from '../feeds/feeds-of-venue.ts'
import { planFeeds } from '../parse-connect.ts'
import type { FeedPlan } from '../start-venue.ts'
import { type FeedReportRow, listFeedReports, listVenueRows } from './venue-queries.ts'

/** Processes report every 2 s. */
const REPORT_AGE_MAX_MS = 10_000

/** Every venue that can be connected: its configured symbols, and what its connections last reported. */
export async function listVenues(deps: Pick<Deps, 'db'>): Promise<Venue[]> {
  const [rows, reports] = [await listVenueRows(deps.db), await listFeedReports(deps.db)]
  return [...FEEDS_OF_VENUE.keys()].map((name) =>
    presentVenue(rows.find((row) => row.name === name) ?? newRow(name), reports),
  )
}

export function presentVenue(row: VenueRow, reports: readonly FeedReportRow[]): Venue {
  return {
    venue: row.name,
    symbols: [...row.symbols],
    configured_symbols: [...row.configured_symbols],
    is_paused: row.is_paused,
    version: row.version,
    feeds: planFeeds(new Map([[row.name, allSymbols(row)]])).map((plan) =>
      presentFeed(
        plan,
        row.is_paused,
        reports.find(({ feed }) => feed === plan.name),
      ),
    ),
  }
}

/** Symbols of CONNECT and those that administrators added, each once. */
export function allSymbols({ symbols, configured_symbols }: VenueRow): string[] {
  return [...new Set([...configured_symbols, ...symbols])]
}

function newRow(name: string): VenueRow {
  return { name, symbols: [], configured_symbols: [], is_paused: false, version: 0 }
}

function presentFeed(
  { name, instruments }: FeedPlan,
  isPaused: boolean,
  reported: FeedReportRow | undefined,
): VenueFeed {
  const isCurrent = reported !== undefined && reported.ageMs <= REPORT_AGE_MAX_MS && !isPaused
  const report = reported?.report ?? NOTHING
  const of = new Map(report.instruments.map((instrument) => [instrument.symbol, instrument]))
  return {
    ...report,
    feed: name,
    state: isPaused ? 'paused' : !isCurrent ? 'not_running' : report.is_connected ? 'connected' : 'connecting',
    is_connected: isCurrent && report.is_connected,
    instruments: instruments.map(({ symbol }) => ({
      ...UNKNOWN,
      symbol,
      ...of.get(symbol),
      ...(isCurrent ? {} : OFF),
    })),
  }
}

const NOTHING: FeedReport = {
  is_connected: false,
  connected_at: null,
  messages: 0,
  last_message_at: null,
  last_error: null,
  last_error_at: null,
  instruments: [],
}
const UNKNOWN = {
  gaps: 0,
  last_gap: null,
  missing_trades: 0,
  last_record_at: null,
  book: 'connecting',
  lag_ms: null,
} as const
/** The status of a connection that no process maintains. */
const OFF = { book: 'connecting', lag_ms: null } as const
