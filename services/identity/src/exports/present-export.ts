import type { AccountExport } from '@tapeline/contracts/identity/account-deletion'
import type { ExportRow } from './export-queries.ts'

/** State of an account export as its owner sees it, without content and token. */
export function presentExport({ id, requested_at, ready_at, failed_at, expires_at }: ExportRow): AccountExport {
  return {
    id,
    state: ready_at !== null ? 'ready' : failed_at !== null ? 'failed' : 'running',
    requested_at: requested_at.toISOString(),
    ready_at: ready_at?.toISOString() ?? null,
    expires_at: expires_at?.toISOString() ?? null,
  }
}
