import { t } from '@lingui/core/macro'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { formatDuration } from '../../format/duration.ts'
import type { StateTone } from '../../ui/StateBadge.tsx'

const DAY_MS = 24 * 3_600_000
const EXPIRES_SOON_MS = 7 * DAY_MS

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
