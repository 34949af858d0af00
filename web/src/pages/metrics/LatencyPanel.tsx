import { t } from '@lingui/core/macro'
import type { UsageReport } from '@tapeline/contracts/audit/http'
import { ChartSpline, Table2 } from 'lucide-react'
import { useState } from 'react'
import { i18n } from '../../language/i18n.ts'
import { Button } from '../../ui/Button.tsx'
import { BUCKETS } from './bucket-time.ts'
import type { MetricsFilter } from './metrics-filter.ts'
import { lockedTier } from './locked-tier.ts'
import { SeriesTable } from './SeriesTable.tsx'
import { TimeChart } from './TimeChart.tsx'

type LatencyPanelProps = { report: UsageReport; filter: MetricsFilter }

export function LatencyPanel({ report, filter }: LatencyPanelProps) {
  const [isTable, setTable] = useState(false)
  const isLocked = lockedTier(report, 'basicAnalytics') !== undefined
  return (
    <section className="panel lat" aria-labelledby="latency">
      <div className="panel-head">
        <h2 id="latency">{isLocked ? t`Outcomes` : t`Response time and outcomes`}</h2>
        <span className="t13 t2 only-wide">
          {i18n._(BUCKETS[report.period.bucket])}
          {isLocked ? '' : `, ${t`logarithmic`}`}
        </span>
        <span className="row wide end">
          <span className="key">{t`served`}</span>
          <span className="key key-t">{t`throttled`}</span>
          <span className="key key-c">{t`client error`}</span>
          <span className="key key-s">{t`server error`}</span>
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
              isTable ? <ChartSpline className="i" aria-hidden="true" /> : <Table2 className="i" aria-hidden="true" />
            }
          />
        </span>
      </div>
      {isTable ? <SeriesTable report={report} /> : <TimeChart report={report} filter={filter} />}
    </section>
  )
}
