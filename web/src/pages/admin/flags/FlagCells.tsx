import { t } from '@lingui/core/macro'
import type { AdminFlag } from '@tapeline/contracts/config/flags'
import { useQuery } from '@tanstack/react-query'
import { formatDate, formatDateTime } from '../../../format/date.ts'
import { formatAgo } from '../../../format/duration.ts'
import { formatCount } from '../../../format/number.ts'
import { useSettings } from '../../../settings/use-settings.ts'
import { useNow } from '../../../ui/hooks/use-now.ts'
import { scheduleOf } from './describe-change.ts'
import { reachQuery } from './flags.queries.ts'

const DAY_MS = 86_400_000

export function FlagName({ flag, onOpen }: { flag: AdminFlag; onOpen: () => void }) {
  const { timezone } = useSettings()
  const narrowed = scheduleOf(flag, useNow(), timezone)
  return (
    <span className={flag.enabled ? undefined : 'off'}>
      <button type="button" className="flag-open" onClick={onOpen}>
        <code>{flag.flag_key}</code>
      </button>
      <span className="detail clip">{flag.description ?? t`No description`}</span>
      {narrowed !== undefined && <span className="detail">{narrowed}</span>}
      {flag.is_public && <span className="detail">{t`also for visitors`}</span>}
    </span>
  )
}

/** How many accounts have the flag while it is on. */
export function FlagAccounts({ flag }: { flag: AdminFlag }) {
  const { flag_key, role, rollout_percent } = flag
  const reach = useQuery({ ...reachQuery({ flag_key, role, rollout_percent }), enabled: flag.enabled })
  if (!flag.enabled) return <span className="faint">0</span>
  return reach.data === undefined ? <span className="faint">–</span> : <>{formatCount(reach.data.accounts)}</>
}

export function FlagChanged({ flag }: { flag: AdminFlag }) {
  const nowMs = useNow()
  const { timezone } = useSettings()
  const isToday = nowMs - Date.parse(flag.updated_at) < DAY_MS
  return (
    <span className="muted small nowrap" title={formatDateTime(flag.updated_at, timezone)}>
      {isToday ? formatAgo(flag.updated_at, nowMs) : formatDate(flag.updated_at, timezone)}
    </span>
  )
}
