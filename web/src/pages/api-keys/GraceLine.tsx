import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { formatDateTime } from '../../format/date.ts'
import { formatAgo } from '../../format/duration.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useNow } from '../../ui/use-now.ts'

/** While a replaced secret still works: whether somebody still uses it, and whether the new one is used. */
export function GraceLine({ apiKey: { grace, last_used_at } }: { apiKey: ApiKey }) {
  const nowMs = useNow()
  const { timezone } = useSettings()
  if (grace === null || Date.parse(grace.until) <= nowMs) return null
  const isNewUsed = last_used_at !== null && (grace.last_used_at === null || last_used_at > grace.last_used_at)
  return (
    <p className="grace">
      <StateBadge tone="warn">{t`Two secrets work`}</StateBadge>
      <span>
        <Trans>
          The old one, <code>{grace.prefix}…</code>, until <b>{formatDateTime(grace.until, timezone)}</b>
        </Trans>
        {', '}
        {grace.last_used_at === null ? t`not used` : t`last used ${formatAgo(grace.last_used_at, nowMs)}`}
      </span>
      <span>
        {isNewUsed ? t`The new one was used ${formatAgo(last_used_at, nowMs)}` : t`The new one is not used yet`}
      </span>
    </p>
  )
}
