import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { reportPath } from '../../paths.ts'
import { Link, useSearchParams } from '../../router.ts'
import { searchNow } from '../../search-now.ts'
import { buttonClass } from '../../ui/button-class.ts'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { Bone, Skeleton } from '../../ui/Skeleton.tsx'
import { ExportMenu } from '../requests/ExportMenu.tsx'
import { ErrorAnalysis } from './ErrorAnalysis.tsx'
import { Filters } from './Filters.tsx'
import { KeyFigures } from './KeyFigures.tsx'
import { LatencyPanel } from './chart/LatencyPanel.tsx'
import './metrics.css'
import { type MetricsFilter, readFilter, writeFilter } from './metrics-filter.ts'
import { Locked } from './Locked.tsx'
import { lockedTier } from './locked-tier.ts'
import { RealTime } from './RealTime.tsx'
import { requestsOf, throttledOf } from './requests-of.ts'
import { metricsQuery } from './metrics.queries.ts'
import { StateLine } from './StateLine.tsx'
import { StreamUsage } from './StreamUsage.tsx'
import { SystemUsage } from './SystemUsage.tsx'
import { TopEndpoints } from './TopEndpoints.tsx'

/** Requests and answers of the account: the numbers that the limiter enforced. */
export function MetricsPage() {
  const [search, setSearch] = useSearchParams()
  const filter = readFilter(search)
  return (
    <div className="metrics">
      <Filters
        filter={filter}
        onChange={(changed) => setSearch(writeFilter({ ...readFilter(searchNow()), ...changed }), { replace: true })}
      >
        <Link className={buttonClass({ size: 'small' })} to={reportPath({ key: filter.keyId, route: filter.route })}>
          {t`Mail weekly`}
        </Link>
        <ExportMenu filter={{ ...filter, outcome: undefined, status: undefined, requestId: undefined }} />
      </Filters>
      <RealTime />
      <Report filter={filter} isRangeChosen={search.has('range')} />
    </div>
  )
}

function Report({ filter, isRangeChosen }: { filter: MetricsFilter; isRangeChosen: boolean }) {
  const metrics = useQuery(metricsQuery(filter))
  if (metrics.data !== undefined) {
    const locked = filter.custom === undefined ? undefined : lockedTier(metrics.data, 'advancedAnalytics')
    if (locked !== undefined) {
      return (
        <section className="panel">
          <Locked what={t`custom ranges`} tier={locked} />
        </section>
      )
    }
    return (
      <div aria-busy={metrics.isPlaceholderData}>
        <StateLine
          report={metrics.data}
          isPast={filter.custom?.to !== undefined}
          isPrevious={metrics.isPlaceholderData}
          isStale={metrics.isError}
          requests={requestsOf(filter)}
        />
        <KeyFigures report={metrics.data} throttled={throttledOf(filter)} />
        <LatencyPanel
          key={writeFilter(filter).toString()}
          report={metrics.data}
          filter={filter}
          isRangeChosen={isRangeChosen}
        />
        <div className="cols">
          <TopEndpoints filter={filter} />
          <SystemUsage report={metrics.data} />
        </div>
        <StreamUsage report={metrics.data} />
        <ErrorAnalysis filter={filter} total={metrics.data.total} failed={metrics.data.failed} />
      </div>
    )
  }
  if (metrics.isPending) return <ReportSkeleton />
  return (
    <section className="panel">
      <ErrorPanel
        title={t`Your metrics could not be loaded`}
        requestId={metrics.error instanceof ApiError ? metrics.error.requestId : undefined}
        onRetry={() => void metrics.refetch()}
        isRetrying={metrics.isFetching}
      >
        {metrics.error?.message}
      </ErrorPanel>
    </section>
  )
}

/** Wider than any panel: the style sheet limits a placeholder to the width of its panel. */
const FULL_WIDTH_PX = 2_000

function ReportSkeleton() {
  return (
    <Skeleton label={t`Loading your metrics`}>
      <p className="state-line">
        <Bone widthPx={280} />
      </p>
      <div className="stats">
        {[0, 1, 2, 3].map((n) => (
          <div className="stat" key={n}>
            <Bone widthPx={88} />
            <br />
            <Bone widthPx={120} heightPx={24} />
          </div>
        ))}
      </div>
      <section className="panel latency-panel">
        <Bone widthPx={FULL_WIDTH_PX} heightPx={320} />
      </section>
    </Skeleton>
  )
}
