import { t } from '@lingui/core/macro'
import type { UsageRow } from '@tapeline/contracts/audit/http'
import { useQuery } from '@tanstack/react-query'
import { formatMilliseconds } from '../../format/duration.ts'
import { formatCount } from '../../format/number.ts'
import { Table } from '../../ui/rows/Table.tsx'
import { BreakdownState } from './BreakdownState.tsx'
import type { MetricsFilter } from './metrics-filter.ts'
import { breakdownQuery } from './metrics.queries.ts'

export function TopEndpoints({ filter }: { filter: MetricsFilter }) {
  const breakdown = useQuery(breakdownQuery(filter, 'endpoint'))
  const latency = (of: 'p50' | 'p95' | 'p99') => (row: UsageRow) =>
    row.latency_ms === null ? '–' : formatMilliseconds(row.latency_ms[of])
  return (
    <section className="panel" aria-labelledby="top" aria-busy={breakdown.isPlaceholderData}>
      <div className="panel-head">
        <h2 id="top">{t`Top endpoints`}</h2>
      </div>
      <BreakdownState breakdown={breakdown} what={t`breakdowns`}>
        {(rows) => (
          <div className="scroll-x" tabIndex={0} role="region" aria-label={t`Top endpoints, table`}>
            <Table
              caption={t`Top endpoints`}
              rows={rows}
              rowKey={({ key }) => key}
              columns={[
                {
                  key: 'route',
                  head: t`Route`,
                  cell: ({ key }) => <span className="mono">{key}</span>,
                  className: 'nowrap',
                },
                { key: 'total', head: t`Requests`, isNumber: true, cell: ({ total }) => formatCount(total) },
                { key: 'p50', head: t`p50, ms`, isNumber: true, cell: latency('p50') },
                { key: 'p95', head: 'p95', isNumber: true, cell: latency('p95') },
                { key: 'p99', head: 'p99', isNumber: true, cell: latency('p99') },
                { key: 'errors', head: t`Failed`, isNumber: true, cell: ({ failed }) => formatCount(failed) },
              ]}
            />
          </div>
        )}
      </BreakdownState>
    </section>
  )
}
