import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { instrumentsQuery } from '../../api/instruments.queries.ts'
import { pricingQuery } from '../../api/pricing.queries.ts'
import { useUser } from '../../session/use-session.ts'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { Bone, Skeleton } from '../../ui/Skeleton.tsx'
import { Downloads } from './Downloads.tsx'
import './coverage-calendar.css'
import './downloads.css'
import { LockedDownloads } from './LockedDownloads.tsx'
import { NoData } from './NoData.tsx'

const TIERS = ['free', 'basic', 'pro'] as const
const BONES = 8

/** Sealed days as files: coverage, the list of files, and how to download them. */
export function DownloadsPage() {
  const user = useUser()
  const pricing = useQuery(pricingQuery)
  const plans = pricing.data
  if (plans !== undefined && !plans[user.subscriptionTier].features.dataExport) {
    const tier = TIERS.find((one) => plans[one].features.dataExport)
    return <LockedDownloads tierName={tier && plans[tier].display.name} />
  }
  // If the plans cannot be loaded, the call decides.
  return pricing.isPending ? <PageSkeleton /> : <Stored />
}

function Stored() {
  const instruments = useQuery(instrumentsQuery)
  if (instruments.data !== undefined) {
    const recorded = instruments.data.filter(({ last_ts_event }) => last_ts_event !== null)
    return recorded.length === 0 ? <NoData /> : <Downloads instruments={recorded} />
  }
  if (instruments.isPending) return <PageSkeleton />
  const { error } = instruments
  return (
    <section className="panel downloads">
      <ErrorPanel
        title={t`The instruments could not be loaded`}
        requestId={error instanceof ApiError ? error.requestId : undefined}
        onRetry={() => void instruments.refetch()}
        isRetrying={instruments.isFetching}
      >
        {error.message}
      </ErrorPanel>
    </section>
  )
}

function PageSkeleton() {
  return (
    <Skeleton label={t`Loading the files`}>
      <section className="panel downloads">
        <div className="message">
          {Array.from({ length: BONES }, (_, n) => (
            <Bone key={n} widthPx={420} />
          ))}
        </div>
      </section>
    </Skeleton>
  )
}
