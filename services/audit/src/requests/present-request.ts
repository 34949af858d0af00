import type { LoggedRequest } from '@tapeline/contracts/audit/requests'
import type { RequestRow } from './request-queries.ts'

const US_PER_MS = 1_000

/** Converts a row to its public form. */
export function presentRequest(row: Omit<RequestRow, 'place'>, keyName: string | undefined): LoggedRequest {
  return {
    id: row.id,
    request_id: row.request_id,
    time: row.time.toISOString(),
    method: row.method,
    route: row.route,
    status: row.status,
    outcome: row.outcome,
    code: row.code,
    key_id: row.key_id,
    key_name: keyName ?? null,
    network: row.network,
    latency_ms: toMs(row.latency_us),
    bytes_in: Number(row.bytes_in),
    bytes_out: Number(row.bytes_out),
    rows_returned: row.rows_returned === null ? null : Number(row.rows_returned),
  }
}

export function toMs(latencyUs: string): number {
  return Number(latencyUs) / US_PER_MS
}
