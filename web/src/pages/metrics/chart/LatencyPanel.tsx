import { t } from '@lingui/core/macro'
import type { UsageReport } from '@tapeline/contracts/audit/http'
import { ChartSpline, Table2 } from 'lucide-react'
import { useState } from 'react'
import { i18n } from '../../../language/i18n.ts'
import { Button } from '../../../ui/Button.tsx'
import { BUCKETS, rangeName } from './bucket-time.ts'
import { ChartHints } from './ChartHints.tsx'
import './time-chart.css'
import type { MetricsFilter } from '../metrics-filter.ts'
import { lockedTier } from '../locked-tier.ts'
import { SeriesTable } from './SeriesTable.tsx'
import { TimeChart } from './TimeChart.tsx'
import { useChartReport } from './use-chart-report.ts'

type LatencyPanelProps = {
  report: UsageReport
  filter: MetricsFilter
  /** Otherwise the chart selects the range that fits the traffic. */
  isRangeChosen: boolean
}

export function LatencyPanel({ report, filter, isRangeChosen }: LatencyPanelProps) {
  const [isTable, setTable] = useState(false)
  const chart = useChartReport(report, filter, isRangeChosen)
  const { shown } = chart
  const isLocked = lockedTier(report, 'basicAnalytics') !== undefined
  return (
    <section className="panel latency-panel" aria-labelledby="latency">
      <div className="panel-head">
        <h2 id="latency">{isLocked ? t`Outcomes` : t`Response time and outcomes`}</h2>
        <span className="small muted only-wide">
          {i18n._(BUCKETS[shown.period.bucket])}
          {isLocked ? '' : `, ${t`logarithmic`}`}
        </span>
        <span className="row wide end">
          <span className="key">{t`served`}</span>
          <span className="key key-throttled">{t`rejected by a limit`}</span>
          <span className="key key-client-error">{t`client error`}</span>
          <span className="key key-server-error">{t`server error`}</span>
        </span>
        <span className="tools">
          <Button
            variant="quiet"
            size="small"
            isIconOnly
            aria-label={isTable ? t`Show as a chart` : t`Show as a table`}
            aria-pressed={isTable}
            onClick={() => setTable(!isTable)}
            icon={
              isTable ? (
                <ChartSpline className="icon" aria-hidden="true" />
              ) : (
                <Table2 className="icon" aria-hidden="true" />
              )
            }
          />
        </span>
      </div>
      {(chart.isFitted || chart.isZoomed) && (
        <p className="chart-range">
          <span>
            {chart.isZoomed
              ? t`${rangeName(shown)}, chosen in the chart`
              : t`${rangeName(shown)}, the shortest range with 95% of your requests`}
          </span>
          <Button variant="quiet" size="small" onClick={() => chart.zoomTo(undefined)}>
            {t`Show the whole period`}
          </Button>
        </p>
      )}
      {isTable ? (
        <SeriesTable report={shown} />
      ) : (
        <>
          <TimeChart report={shown} filter={filter} isNow={chart.isNow} onZoom={chart.zoomTo} />
          <ChartHints hasPartial={shown.series.some((point) => point.partial)} />
        </>
      )}
    </section>
  )
}
