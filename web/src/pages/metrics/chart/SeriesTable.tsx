import { t } from '@lingui/core/macro'
import type { UsagePoint, UsageReport } from '@tapeline/contracts/audit/http'
import { formatMilliseconds } from '../../../format/duration.ts'
import { formatCount } from '../../../format/number.ts'
import { Table } from '../../../ui/rows/Table.tsx'
import { bucketName } from './bucket-time.ts'

/** The chart as a table: every bucket that had a request. */
export function SeriesTable({ report }: { report: UsageReport }) {
  const { tz } = report.period
  const rows = report.series.filter(({ total }) => total > 0).toReversed()
  const latency = (of: 'p50' | 'p95' | 'p99') => (point: UsagePoint) =>
    point.latency_ms === null ? '–' : formatMilliseconds(point.latency_ms[of])
  if (rows.length === 0) return <p className="message muted">{t`No requests in this period.`}</p>
  return (
    <div className="scroll-x series" tabIndex={0} role="region" aria-label={t`Response time and outcomes, table`}>
      <Table
        caption={t`Response time and outcomes`}
        rows={rows}
        rowKey={({ from }) => from}
        columns={[
          { key: 'time', head: t`Time, ${tz}`, cell: (point) => bucketName(point, tz), className: 'nowrap' },
          { key: 'served', head: t`Served`, isNumber: true, cell: ({ success }) => formatCount(success) },
          { key: 'failed', head: t`Failed`, isNumber: true, cell: ({ failed }) => formatCount(failed) },
          {
            key: 'throttled',
            head: t`of which rejected by a limit`,
            isNumber: true,
            cell: ({ denied }) => formatCount(denied),
          },
          { key: 'p50', head: t`p50, ms`, isNumber: true, cell: latency('p50') },
          { key: 'p95', head: 'p95', isNumber: true, cell: latency('p95') },
          { key: 'p99', head: 'p99', isNumber: true, cell: latency('p99') },
        ]}
      />
    </div>
  )
}
