import type { AlertChannel } from '@tapeline/contracts/audit/alerts'
import type { Policy } from '@tapeline/contracts/usage/events'
import type { ReportBreakdown, ReportFormat, STATUS_CLASSES } from '@tapeline/contracts/audit/reports'
import type { Tier } from '@tapeline/contracts/actor'
import type { ReplayResult } from '@tapeline/contracts/audit/replay'
import type { RateLimits } from '@tapeline/contracts/config/tiers'
import type { OutboxTables } from '@tapeline/database/outbox-table'
import type { ColumnType, Generated } from 'kysely'

type Instant = ColumnType<Date, string, string>
type Count = ColumnType<string, number, number>
type Json = ColumnType<unknown, string, never>

/** The audit trail in order of arrival: `position` within `scope`, an account or `*`. Append-only. */
export type AuditTrailTable = {
  id: string
  position: Generated<string>
  scope: string
  time: Instant
  account_id: string | null
  actor_kind: string
  actor_id: string | null
  network: string | null
  type: string
  subject: string
  before: Json | null
  after: Json | null
  reason: string | null
  details: Json
  hash: Buffer
  /** Hash of the personal part with its salt, which is null once the part is erased (trail/hash-entry.ts). */
  personal_hash: Buffer | null
  salt: Buffer | null
}

/** Signed anchors, as the object store has them. */
export type TrailAnchorTable = {
  number: number
  from_position: string
  through_position: string
  entries: number
  sha256: string
  key_id: string
  made_at: Instant
}

/** The last position that the receiver of the trail's stream accepted, and that of the batch being sent; one row. */
export type TrailStreamTable = {
  id: number
  position: string
  pending: string | null
  sent_at: ColumnType<Date | null, never, string>
}

/** The latest verification of the whole trail; one row. `finished_at` is null while it runs. */
export type TrailCheckTable = {
  id: number
  started_at: Instant
  finished_at: ColumnType<Date | null, string | null, string | null>
  verdict: ColumnType<unknown, string | null, string | null>
}

/** Newest hash of each chain. */
export type AuditTrailHeadTable = { scope: string; hash: Buffer }

/** Latest names of keys, from events. */
export type KnownKeyTable = { account_id: string; key_id: string; name: string; named_at: Instant }

/** `scope` and `level` identify the cause: an account gets one notification per cause. */
export type NotificationTable = {
  id: string
  account_id: string
  kind: string
  scope: string
  level: number
  title: string
  text: string
  data: Json
  created_at: Instant
  read_at: Instant | null
}

/** Events for open streams, kept for a while for clients that reconnect. `scope` is an account or `*`. */
export type StreamEventTable = {
  position: Generated<string>
  scope: string
  name: string
  data: Json
  created_at: Instant
}

/** Deleted accounts, and when no more events about them were expected. */
export type ErasedAccountTable = {
  account_id: string
  deleted_at: Instant
  settled_at: ColumnType<Date | null, null, string>
  /** When its networks were removed from archived days for the first time. */
  archive_erased_at: ColumnType<Date | null, null, string>
}

/**
 * A pass over the days of a table that erases a deleted account's networks. `through_day`: the last day that it has
 * completed.
 */
export type ErasurePassTable = {
  account_id: string
  name: string
  started_at: Instant
  through_day: string | null
  finished_at: ColumnType<Date | null, string | null, string | null>
}

/** Counted requests of a component per hour. */
export type StatusTrafficTable = {
  component: string
  hour_at: Instant
  requests: Count
  errors: Count
  latency: Buffer
}

/** Results of the prober per hour. */
export type StatusProbeTable = {
  component: string
  hour_at: Instant
  probes: Count
  failures: Count
  last_at: Instant
  last_failed: boolean
}

/** Consecutive probes of a component with the same result. */
export type StatusStreakTable = {
  component: string
  failed: boolean
  length: number
  since: Instant
  last_at: Instant
}

/** A component that failed several probes in a row; at most one open incident per component. */
export type StatusIncidentTable = {
  id: string
  component: string
  opened_at: Instant
  resolved_at: ColumnType<Date | null, string | null, string>
}

/** A saved filter, mailed weekly. `weekday`: 1 is Monday; `hour` in the account's time zone. */
export type CustomReportTable = {
  id: string
  account_id: string
  name: string
  api_key_id: string | null
  status: (typeof STATUS_CLASSES)[number] | null
  /** Route pattern; null: every route. */
  route: string | null
  breakdown: ReportBreakdown
  format: ReportFormat
  weekday: number
  hour: number
  active: boolean
  next_at: Instant | null
  last_made_at: Instant | null
  created_at: Instant
}

/** An alert level of an account's own; `api_key_id` null: about the account. */
export type UsageAlertTable = {
  id: string
  account_id: string
  name: string
  api_key_id: string | null
  policy: Policy
  percent: number
  channels: AlertChannel[]
  active: boolean
  last_raised_at: Instant | null
  created_at: Instant
}

/** A period of requests decided again with proposed limits. `heartbeat_at`: the process that runs it is alive. */
export type LimitsReplayTable = {
  id: string
  requested_by: string
  tier: Tier
  rate_limits: ColumnType<Partial<RateLimits>, string, never>
  from_at: Instant
  to_at: Instant
  state: 'queued' | 'running' | 'done' | 'failed'
  progress: number
  heartbeat_at: Instant
  result: ColumnType<ReplayResult | null, string | null, string | null>
  created_at: Instant
}

/** What shadow limits decided, per hour and key; `first_…`: the earliest request that they would have rejected. */
export type UsageShadowTable = {
  proposal_id: string
  hour_at: Instant
  account_id: string
  key_id: string
  requests: Count
  rejected: Count
  would_be_rejected: Count
  newly_rejected: Count
  newly_admitted: Count
  by_burst: Count
  by_min: Count
  by_hour: Count
  by_day: Count
  by_month: Count
  by_conc: Count
  first_at: ColumnType<Date | null, string | null, string | null>
  first_request_id: string | null
  first_denied_by: string[] | null
  last_at: ColumnType<Date | null, string | null, string | null>
  longest_wait_ms: ColumnType<string | null, number | null, number | null>
}

export type AccountTables = OutboxTables & {
  audit_trail: AuditTrailTable
  audit_trail_head: AuditTrailHeadTable
  trail_anchor: TrailAnchorTable
  trail_check: TrailCheckTable
  trail_stream: TrailStreamTable
  known_key: KnownKeyTable
  notification: NotificationTable
  custom_report: CustomReportTable
  usage_alert: UsageAlertTable
  limits_replay: LimitsReplayTable
  usage_shadow: UsageShadowTable
  erased_account: ErasedAccountTable
  erasure_pass: ErasurePassTable
  stream_event: StreamEventTable
  status_traffic: StatusTrafficTable
  status_probe: StatusProbeTable
  status_streak: StatusStreakTable
  status_incident: StatusIncidentTable
}
