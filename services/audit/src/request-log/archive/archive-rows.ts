import type { Decision, Policy } from '@tapeline/contracts/usage/events'
import { limitsOf } from '../request-kind.ts'
import { RELATIVE_RESET, resetColumn, US_PER_MS, usedColumn } from './archive-columns.ts'
import type { ArchivedRequest } from './archived-request.ts'

/** A row of a file, by column, as `readRowGroup` returns it. */
export type ArchiveRow = Record<string, unknown>

/** Columns that lists of requests show. */
export const LISTED_COLUMNS = [
  'account',
  'time',
  'time_us',
  'id',
  'request_id',
  'key_id',
  'method',
  'route',
  'status',
  'outcome',
  'code',
  'network',
  'upstream_latency_us',
  'gateway_latency_us',
  'bytes_in',
  'bytes_out',
  'rows_returned',
]
export type ListedRequest = Pick<
  ArchivedRequest,
  | 'id'
  | 'timeUs'
  | 'request_id'
  | 'key_id'
  | 'method'
  | 'route'
  | 'status'
  | 'outcome'
  | 'code'
  | 'network'
  | 'latency_us'
  | 'upstream_latency_us'
  | 'bytes_in'
  | 'bytes_out'
  | 'rows_returned'
>

/** The time of a row, in microseconds since 1970. */
export function timeUsOfRow({ time, time_us: us }: ArchiveRow): number {
  return Number(time) * US_PER_MS + (us as number)
}

/** A row that was read with LISTED_COLUMNS. */
export function listedOf(row: ArchiveRow): ListedRequest {
  const upstreamUs = numberOrNull(row.upstream_latency_us)
  return {
    id: uuidOf(row.id),
    timeUs: timeUsOfRow(row),
    request_id: hexOf(row.request_id),
    key_id: row.key_id as string,
    method: row.method as string,
    route: row.route as string,
    status: row.status as number,
    outcome: row.outcome as ArchivedRequest['outcome'],
    code: row.code as string | null,
    network: row.network as string,
    latency_us: Number(row.gateway_latency_us) + (upstreamUs ?? 0),
    upstream_latency_us: upstreamUs,
    bytes_in: Number(row.bytes_in),
    bytes_out: Number(row.bytes_out),
    rows_returned: numberOrNull(row.rows_returned),
  }
}

/** The request that a row was written from; the row has all columns. */
export function requestOf(row: ArchiveRow): ArchivedRequest {
  return {
    ...listedOf(row),
    account: row.account as number,
    account_id: row.account_id as string,
    kid: row.kid as string | null,
    tier: row.tier as ArchivedRequest['tier'],
    gateway_id: row.gateway_id as string,
    rejected_fields: typeof row.rejected_fields === 'string' ? JSON.parse(row.rejected_fields) : undefined,
    decision: decisionOf(row, row.time as bigint),
  }
}

/** Readers return UUIDs as their 16 bytes. */
function hexOf(bytes: unknown): string {
  return Buffer.from(bytes as Uint8Array).toString('hex')
}

export function uuidOf(bytes: unknown): string {
  const hex = hexOf(bytes)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

function decisionOf(row: ArchiveRow, timeMs: bigint): Decision {
  return {
    verdict: row.verdict as Decision['verdict'],
    degraded: row.degraded as boolean,
    denied_by: (row.denied_by as string).split(',').filter((policy) => policy !== '') as Policy[],
    retry_after_ms: Number(row.retry_after_ms),
    windows: limitsOf(row.limits as string).map(({ policy, limit }) => {
      const used = Number(row[usedColumn(policy)])
      return { policy, limit, used, ...resetOf(policy, row, timeMs) }
    }),
    ...(typeof row.key_decision === 'string' ? JSON.parse(row.key_decision) : {}),
  }
}

function resetOf(policy: Policy, row: ArchiveRow, timeMs: bigint): { reset_ms?: number } {
  const stored = row[resetColumn(policy)] as bigint | null | undefined
  if (stored === null || stored === undefined) return {}
  return { reset_ms: Number(policy === RELATIVE_RESET ? stored : stored - timeMs) }
}

function numberOrNull(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value)
}
