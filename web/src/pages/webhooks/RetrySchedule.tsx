import { t } from '@lingui/core/macro'
import type { WebhookAttempt, WebhookDeliveryDetail } from '@tapeline/contracts/audit/webhooks'
import { formatDateTime } from '../../format/date.ts'
import { formatDuration } from '../../format/duration.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { newestAttempts, RETRY_DELAYS_S } from './event-types.ts'

const SECOND_MS = 1_000
const ACCEPTED = { from: 200, below: 300 }

/** A tick per attempt: past attempts, the next one, and the delays of those that would follow. */
export function RetrySchedule({ detail }: { detail: WebhookDeliveryDetail }) {
  const { timezone } = useSettings()
  const { tries, tries_max: max, state } = detail
  // A redelivery starts a new schedule; earlier attempts are listed before it.
  const attempts = newestAttempts(detail.attempts, tries)
  const shown = state === 'waiting' ? max : attempts.length
  if (shown === 0) return null
  return (
    <ol className="schedule" aria-label={t`Attempts`}>
      {Array.from({ length: shown }, (_, n) => {
        const attempt = attempts[n]
        if (attempt !== undefined) {
          return (
            <li
              key={n}
              className={isAccepted(attempt) ? 'is-ok' : 'is-failed'}
              title={formatDateTime(attempt.at, timezone)}
            >
              <b>{n + 1}</b> <span>{attempt.status ?? attempt.error}</span>
            </li>
          )
        }
        const isNext = n === attempts.length
        return (
          <li key={n} className={isNext ? 'is-next' : undefined}>
            <b>{n + 1}</b> <span>{isNext ? t`next` : delayOf(n)}</span>
          </li>
        )
      })}
    </ol>
  )
}

function isAccepted({ status }: WebhookAttempt): boolean {
  return status !== null && status >= ACCEPTED.from && status < ACCEPTED.below
}

/** Delay before the next attempt after this many. */
function delayOf(attempt: number): string {
  return formatDuration((RETRY_DELAYS_S[attempt - 1] ?? 0) * SECOND_MS)
}
