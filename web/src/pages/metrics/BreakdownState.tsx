import { t } from '@lingui/core/macro'
import type { UsageReport, UsageRow } from '@tapeline/contracts/audit/http'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { Bone, Skeleton } from '../../ui/Skeleton.tsx'
import { Locked } from './Locked.tsx'
import { lockedTier } from './locked-tier.ts'

type BreakdownStateProps = {
  breakdown: UseQueryResult<UsageReport>
  /** The feature that a lower tier lacks, in the plural. */
  what: string
  children: (rows: readonly UsageRow[]) => ReactNode
}

/** One panel's loading, failure, lock and emptiness; the other panels stay as they are. */
export function BreakdownState({ breakdown, what, children }: BreakdownStateProps) {
  if (breakdown.data === undefined) {
    if (!breakdown.isPending) {
      return (
        <ErrorPanel
          title={t`This panel could not be loaded`}
          onRetry={() => void breakdown.refetch()}
          isRetrying={breakdown.isFetching}
        >
          {breakdown.error?.message}
        </ErrorPanel>
      )
    }
    return (
      <Skeleton label={t`Loading`}>
        <div className="message">
          <Bone widthPx={320} />
          <Bone widthPx={260} />
        </div>
      </Skeleton>
    )
  }
  const locked = lockedTier(breakdown.data, 'basicAnalytics')
  if (locked !== undefined) return <Locked what={what} tier={locked} />
  if (breakdown.data.rows.length === 0) return <p className="message muted">{t`No requests in this period.`}</p>
  return children(breakdown.data.rows)
}
