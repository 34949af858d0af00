import type { Outcome } from '@tapeline/contracts/usage/events'
import type { ConsumerTables } from '@tapeline/database/consumer-tables'
import type { ColumnType } from 'kysely'
import type { AccountTables } from './account-tables.ts'
import type { StatementTables } from './statements/statement-tables.ts'
import type { WebhookTables } from './webhooks/webhook-tables.ts'

type Instant = ColumnType<Date, string, string>
type Count = ColumnType<string, number, number>
type Json = ColumnType<unknown, string, string>

/** A logged request in readable form; `time` is the limiter's clock. */
export type LoggedRequestView = {
  id: string
  time: Instant
  account_id: string
  key_id: string
  kid: string | null
  tier: string
  method: string
  route: string
  status: number
  outcome: Outcome
  code: string | null
  rejected_fields: unknown
  verdict: string
  decision: unknown
  latency_us: Count
  upstream_latency_us: Count | null
  bytes_in: Count
  bytes_out: Count
  rows_returned: Count | null
  gateway_id: string
  request_id: string
  network: string
}

/**
 * One row per counted request, in daily partitions by `time`. `account`, `kind`, `key` and `gateway` are numbers of
 * request_account, request_kind, request_key and request_gateway; `rows_returned` is -1 without rows; `detail`: request-log/encode-detail.ts.
 */
export type RequestLogTable = {
  time: Instant
  latency_us: Count
  bytes_out: Count
  id: string
  request_id: string
  account: number
  bytes_in: number
  rows_returned: number
  kind: number
  key: number
  gateway: number
  network: string
  detail: Buffer
}

/**
 * Sums over a minute, quarter of an hour, hour or UTC day; `latency` is a sketch (sketch.ts), `peak_…` the highest
 * use of a window.
 */
export type RollUpTable = {
  account_id: string
  bucket_at: Instant
  key_id: string
  route: string
  status: number
  outcome: Outcome
  requests: Count
  admitted: Count
  denied: Count
  refused: Count
  bytes_in: Count
  bytes_out: Count
  rows_returned: Count
  peak_burst: Count
  peak_min: Count
  peak_hour: Count
  peak_day: Count
  peak_month: Count
  peak_conc: Count
  latency: Buffer
  last_at: Instant
}

/** Limits at the account's latest request that consumed them; `last_at` is of any request. */
export type UsageAccountTable = { account_id: string; windows: Json; windows_at: Instant; last_at: Instant }

/**
 * Everything in Kafka at `complete_until` is in the tables; minutes before `checked_until` were compared with Redis.
 */
export type UsageProgressTable = {
  topic: string
  complete_until: Instant
  checked_until: ColumnType<Date | null, never, string>
}

/** Requests per quarter of an hour, or UTC day, and client network, without response times. */
export type UsageNetworkTable = {
  account_id: string
  bucket_at: Instant
  network: string
  key_id: string
  route: string
  outcome: Outcome
  requests: Count
  last_at: Instant
}

/** One row per live stream and minute, in daily partitions by `time`, when the reported time begins. */
export type UsageStreamTable = {
  id: string
  time: Instant
  account_id: string
  key_id: string
  kid: string | null
  tier: string
  transport: string
  connection_id: string
  opened: boolean
  ended: boolean
  open_ms: Count
  messages: Count
  bytes_in: Count
  bytes_out: Count
  gateway_id: string
  network: string
}

/** Sums over a quarter of an hour, hour or UTC day. `connections`: those that were opened in it. */
export type UsageStreamSumTable = {
  account_id: string
  level: 'quarter_hour' | 'hour' | 'day'
  bucket_at: Instant
  key_id: string
  connections: Count
  messages: Count
  bytes_in: Count
  bytes_out: Count
  open_ms: Count
}

/**
 * A minute in which the limiter's count and the rows differ. `pending`: rows may still arrive; `drift`: none are
 * expected; `unverified`: Redis lost its count; `closed`: drift that became an adjustment.
 */
export type UsageCheckTable = {
  account_id: string
  minute_at: Instant
  cells: Count
  rows: Count
  state: CheckState
  checked_at: Instant
}
export type CheckState = 'pending' | 'drift' | 'unverified' | 'closed'

export type Tables = ConsumerTables &
  AccountTables &
  StatementTables &
  WebhookTables & {
    request_log: RequestLogTable
    request_account: { no: ColumnType<number, never, never>; account_id: string }
    /** View of the log and of `usage_event`, the table of a previous release. */
    logged_request: LoggedRequestView
    usage_event: LoggedRequestView
    usage_minute: RollUpTable
    usage_quarter_hour: RollUpTable
    usage_hour: RollUpTable
    usage_day: RollUpTable
    /** Sums over all keys, routes and statuses, which are `''` and 0. */
    usage_account_hour: RollUpTable
    usage_account_day: RollUpTable
    usage_account: UsageAccountTable
    usage_progress: UsageProgressTable
    usage_network: UsageNetworkTable
    usage_network_day: UsageNetworkTable
    usage_stream: UsageStreamTable
    usage_stream_sum: UsageStreamSumTable
    usage_check: UsageCheckTable
  }
