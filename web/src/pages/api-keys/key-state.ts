import { plural, t } from '@lingui/core/macro'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import type { UsageRow } from '@tapeline/contracts/audit/http'
import { formatAgo, formatDuration } from '../../format/duration.ts'
import type { StateTone } from '../../ui/StateBadge.tsx'

const DAY_MS = 24 * 3_600_000
const EXPIRES_SOON_MS = 7 * DAY_MS
const USE_MS = 30 * DAY_MS

export type KeyState = { tone: StateTone; text: string; isOff: boolean }

/** The current state of a key; expiry is also evaluated between two loads. */
export function keyState(key: ApiKey, nowMs: number): KeyState {
  if (key.status === 'revoked') return { tone: 'off', text: t`Revoked`, isOff: true }
  const leftMs = key.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(key.expires_at) - nowMs
  if (key.status === 'expired' || leftMs <= 0) return { tone: 'off', text: t`Expired`, isOff: true }
  if (!key.is_active) return { tone: 'off', text: t`Inactive`, isOff: true }
  if (leftMs < EXPIRES_SOON_MS) {
    return { tone: 'warn', text: t`Active, expires in ${formatDuration(leftMs)}`, isOff: false }
  }
  return { tone: 'ok', text: t`Active`, isOff: false }
}

/** Requests of the last 30 days; undefined while they are not loaded. */
export type KeyUse = Pick<UsageRow, 'total' | 'success' | 'failed' | 'last_at'> | undefined

/** A loaded report has no row for a key that was not used. */
export function keyUseOf(rows: readonly UsageRow[] | undefined, keyId: string): KeyUse {
  if (rows === undefined) return undefined
  return rows.find(({ key }) => key === keyId) ?? { total: 0, success: 0, failed: 0, last_at: null }
}

/** What a change of the key affects. A key whose requests are not loaded may be in use. */
export function impactWords({ last_used_at }: Pick<ApiKey, 'last_used_at'>, use: KeyUse, nowMs: number): string {
  const lastAt = use?.last_at ?? last_used_at
  const usedWords = lastAt === null ? undefined : t`Used ${formatAgo(lastAt, nowMs)}.`
  if (use === undefined) {
    return usedWords ?? t`Its requests of the last 30 days are not loaded yet: it may be in use.`
  }
  if (usedWords === undefined || nowMs - Date.parse(lastAt ?? '') > USE_MS) return t`Not used in the last 30 days.`
  // Its last request may not be counted yet.
  if (use.total === 0) return usedWords
  return `${usedWords} ${plural(use.total, { one: '# request in 30 days.', other: '# requests in 30 days.' })}`
}
