import type { ConsumerTables } from '@tapeline/database/consumer-tables'
import type { FeedReport } from '@tapeline/contracts/market-data/venues'
import type { OutboxTables } from '@tapeline/database/outbox-table'
import type { ColumnType, Generated, Selectable } from 'kysely'

/** A bigint column: read as digits, written as either. */
type BigDigits = ColumnType<string, string | bigint, string | bigint>

export type InstrumentTable = {
  instrument_id: Generated<number>
  venue: string
  symbol: string
  venue_symbol: string
  base: string
  quote: string
  size_unit: string
  ts_event_precision: 'ns' | 'us' | 'ms'
  kind: Generated<'spot' | 'perpetual' | 'dated'>
  tick: string | null
  lot: string | null
  multiplier: string | null
  aliases: Generated<readonly string[]>
  valid_from: Date | null
  valid_to: Date | null
}

/** State of one instrument's trades or level-2 events; locked while sequences are assigned. */
export type ChannelTable = {
  instrument_id: number
  name: ChannelName
  last_sequence: BigDigits
  book_epoch: number
  stored_rows: BigDigits
  first_ts_event: BigDigits | null
  last_ts_event: BigDigits | null
  /** Rows before this time no longer change; null if the source does not guarantee it. */
  complete_through: BigDigits | null
  /** Rows before this time were dropped by retention. */
  retained_from: BigDigits
}
export type ChannelName = 'trade' | 'l2_event'

/**
 * The last range of seconds that the simulator generated: written before the range is sent, so that a restart sends it
 * again.
 */
export type SimulatorPositionTable = {
  instrument_id: number
  previous_second: BigDigits
  latest_second: BigDigits
  step_seconds: number
  /** True once its records go through Kafka; until then, history is stored directly. */
  is_live: boolean
}

/** The process that connects to a feed, until `expires_at` unless it renews. */
export type VenueLeaseTable = { feed: string; holder: string; expires_at: Date }

/** The configured connections; `configured_symbols` are those of the setting CONNECT. */
export type VenueTable = {
  name: string
  symbols: Generated<readonly string[]>
  configured_symbols: Generated<readonly string[]>
  is_paused: Generated<boolean>
  version: Generated<number>
}
export type VenueRow = Selectable<VenueTable>

/** Written by the process that has the lease of the feed. */
export type VenueFeedReportTable = {
  feed: string
  report: ColumnType<FeedReport, string, string>
  reported_at: Date
}

/** `trade` and `l2_event` are written by COPY and read by statements of their own: see store/ and records/. */
export type Tables = ConsumerTables &
  OutboxTables & {
    instrument: InstrumentTable
    channel: ChannelTable
    simulator_position: SimulatorPositionTable
    venue_lease: VenueLeaseTable
    venue: VenueTable
    venue_feed_report: VenueFeedReportTable
  }
