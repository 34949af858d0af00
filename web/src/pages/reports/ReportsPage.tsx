import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import type { ReportList, SaveReport } from '@tapeline/contracts/audit/reports'
import { useQuery } from '@tanstack/react-query'
import { Lock, Plus } from 'lucide-react'
import { ApiError } from '../../api/api-error.ts'
import { pricingQuery } from '../../api/pricing.queries.ts'
import { paths } from '../../paths.ts'
import { Link, useSearchParams } from '../../router.ts'
import { Button } from '../../ui/Button.tsx'
import { buttonClass } from '../../ui/button-class.ts'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { Bone, Skeleton } from '../../ui/Skeleton.tsx'
import { AlertsPanel } from './AlertsPanel.tsx'
import { ReportDialog } from './ReportDialog.tsx'
import { ReportRow } from './ReportRow.tsx'
import './reports.css'
import { reportsQuery } from './reports.queries.ts'

const NEW_REPORT = 'report'

/** Saved views of the metrics that are mailed weekly, and the account's own alerts. */
export function ReportsPage() {
  const reports = useQuery(reportsQuery)
  const [search, setSearch] = useSearchParams()
  const isCreating = search.get('new') === NEW_REPORT && reports.data?.locked === null
  const count = reports.data?.reports.length ?? 0
  const isFull = reports.data !== undefined && count >= reports.data.max
  return (
    <>
      <div className="pagebar">
        {reports.data === undefined ? (
          <p />
        ) : (
          <p>
            <Trans>
              <b className="mono">{count}</b> <Plural value={count} one="report" other="reports" />
            </Trans>
          </p>
        )}
        {reports.data?.locked === null && (
          <div className="actions">
            <Button
              variant="primary"
              icon={<Plus className="icon" aria-hidden="true" />}
              isDisabled={isFull}
              onClick={() => setSearch({ new: NEW_REPORT }, { replace: true })}
            >
              {t`Create report`}
            </Button>
          </div>
        )}
      </div>
      <Reports />
      <AlertsPanel />
      {isCreating && <ReportDialog view={viewIn(search)} onClose={() => setSearch({}, { replace: true })} />}
    </>
  )
}

/** The filter of the metrics page, from the link that leads here. */
function viewIn(search: URLSearchParams): Partial<SaveReport> {
  return { api_key_id: search.get('key'), route: search.get('route') }
}

function Reports() {
  const reports = useQuery(reportsQuery)
  if (reports.isPending) return <PageSkeleton />
  if (reports.data === undefined) {
    return (
      <section className="panel">
        <ErrorPanel
          title={t`Your reports could not be loaded`}
          requestId={reports.error instanceof ApiError ? reports.error.requestId : undefined}
          onRetry={() => void reports.refetch()}
          isRetrying={reports.isFetching}
        >
          {reports.error?.message}
        </ErrorPanel>
      </section>
    )
  }
  const { reports: list, locked } = reports.data
  return (
    <>
      {locked !== null && <Locked locked={locked} />}
      {locked === null && list.length === 0 && <NoReports />}
      {list.length > 0 && (
        <section className="panel reports-panel" aria-label={t`Reports`}>
          {list.map((report) => (
            <ReportRow key={report.id} report={report} isLocked={locked !== null} />
          ))}
        </section>
      )}
    </>
  )
}

function NoReports() {
  return (
    <section className="panel reports-message" aria-labelledby="no-reports">
      <h2 className="size-20" id="no-reports">
        {t`No reports yet`}
      </h2>
      <p className="muted">
        {t`A report is a view of your metrics that is mailed every week: the last seven days, for all keys or one, as CSV, Parquet or PDF. The numbers are those of the page API Key Audit.`}
      </p>
      <Link className="link" to={paths.metrics}>
        {t`Start from the metrics`}
      </Link>
    </section>
  )
}

function Locked({ locked }: { locked: NonNullable<ReportList['locked']> }) {
  const plans = useQuery(pricingQuery).data
  const tier = locked.tier === 'free' ? undefined : plans?.[locked.tier].display.name
  return (
    <section className="panel reports-message" aria-labelledby="locked-reports">
      <h2 id="locked-reports">
        <Lock className="icon" aria-hidden="true" /> {t`Upgrade to ${tier ?? locked.tier} to create custom reports`}
      </h2>
      <p className="muted">
        {t`A view of your metrics is mailed every week as CSV, Parquet or PDF. Alerts are part of every plan.`}
      </p>
      <Link className={buttonClass({ variant: 'primary' })} to={paths.plan}>
        {t`Compare plans`}
      </Link>
    </section>
  )
}

function PageSkeleton() {
  return (
    <Skeleton label={t`Loading the reports`}>
      <section className="panel reports-message">
        {[0, 1, 2].map((n) => (
          <Bone key={n} widthPx={420} />
        ))}
      </section>
    </Skeleton>
  )
}
