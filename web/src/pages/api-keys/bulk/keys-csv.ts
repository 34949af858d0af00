import type { ApiKey } from '@tapeline/contracts/api-key/http'

const DAY_MS = 86_400_000
const COLUMNS = [
  'name',
  'prefix',
  'status',
  'owner',
  'tags',
  'scopes',
  'created_at',
  'last_used_at',
  'days_unused',
  'expires_at',
  'external_id',
]

/** A line per key with its last use. */
export function keysCsv(keys: readonly ApiKey[], nowMs: number): string {
  const lines = keys.map((key) => [
    key.name,
    key.prefix,
    key.status,
    key.owner_note,
    key.tags.join(' '),
    key.scopes.join(' '),
    key.created_at,
    key.last_used_at,
    String(daysUnused(key, nowMs)),
    key.expires_at,
    key.external_id,
  ])
  return [COLUMNS, ...lines].map((line) => `${line.map(cellOf).join(',')}\r\n`).join('')
}

/** Whole days since the last use, or since the creation of a key that was never used. */
export function daysUnused({ last_used_at: used, created_at: created }: ApiKey, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - Date.parse(used ?? created)) / DAY_MS))
}

/** A spreadsheet must not read a cell as a formula. */
function cellOf(value: string | null): string {
  const text = value ?? ''
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
