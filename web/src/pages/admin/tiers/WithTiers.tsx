import { t } from '@lingui/core/macro'
import type { TierEdition } from '@tapeline/contracts/config/plans'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx'
import { tiersQuery } from './tiers.queries.ts'

type WithTiersProps = { waiting?: ReactNode; children: (edition: TierEdition) => ReactNode }

/** Renders its children once the newest tier documents are loaded, or an error with a retry. */
export function WithTiers({ waiting = null, children }: WithTiersProps) {
  const tiers = useQuery(tiersQuery)
  if (tiers.data !== undefined) return children(tiers.data)
  if (tiers.isPending) return waiting
  return (
    <section className="panel admin-first">
      <ErrorPanel
        title={t`The tiers could not be loaded`}
        requestId={tiers.error instanceof ApiError ? tiers.error.requestId : undefined}
        onRetry={() => void tiers.refetch()}
        isRetrying={tiers.isFetching}
      >
        {tiers.error.message}
      </ErrorPanel>
    </section>
  )
}
