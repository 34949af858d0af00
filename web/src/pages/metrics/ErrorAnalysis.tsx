import { useQuery } from '@tanstack/react-query'
import { formatCount, formatPercent } from '../../format/number.ts'
import { Link } from '../../router.ts'
import { StateBadge, type StateTone } from '../../ui/StateBadge.tsx'
import { Table } from '../../ui/Table.tsx'
import { BreakdownState } from './BreakdownState.tsx'
import type { MetricsFilter } from './metrics-filter.ts'
import { requestsOf } from './requests-of.ts'
import { breakdownQuery } from './metrics.queries.ts'

const OK_STATUS_MAX = 399
const MEANINGS: Record<string, string> = {
  400: 'the request was not valid',
  401: 'the key is revoked, expired or inactive',
  403: 'not allowed for this key or tier',
  404: 'no such instrument or route',
  410: 'the cursor’s data aged out',
  413: 'the body was too large',
  415: 'the body was not JSON',
  429: 'a limit was reached',
  499: 'the client went away before the answer',
  500: 'something failed on our side',
  502: 'a service did not answer',
  503: 'a service was away',
  504: 'a service took too long',
}

type ErrorAnalysisProps = { filter: MetricsFilter; total: number; failed: number }

export function ErrorAnalysis({ filter, total, failed }: ErrorAnalysisProps) {
  const breakdown = useQuery(breakdownQuery(filter, 'status'))
  return (
    <section className="panel" aria-labelledby="errors">
      <div className="panel-head">
        <h2 id="errors">Error analysis</h2>
        <span className="t13 t2">
          <span className="mono">{formatCount(failed)}</span> of <span className="mono">{formatCount(total)}</span>{' '}
          requests
        </span>
      </div>
      <BreakdownState breakdown={breakdown} what="Breakdowns">
        {(rows) => {
          const errors = rows.filter(({ key }) => Number(key) > OK_STATUS_MAX)
          if (errors.length === 0) return <p className="msg t2">No request failed or was refused in this time.</p>
          return (
            <div className="scroll-x" tabIndex={0} role="region" aria-label="Error analysis, table">
              <Table
                caption="Error analysis"
                rows={errors}
                rowKey={({ key }) => key}
                columns={[
                  {
                    key: 'status',
                    head: 'Status',
                    cell: ({ key }) => (
                      <StateBadge tone={toneOf(key)}>
                        <Link className="link" to={requestsOf(filter, key)} aria-label={`Requests answered ${key}`}>
                          {key}
                        </Link>
                      </StateBadge>
                    ),
                  },
                  { key: 'meaning', head: 'Meaning', cell: ({ key }) => MEANINGS[key] ?? 'other', className: 't2' },
                  { key: 'count', head: 'Count', isNumber: true, cell: (row) => formatCount(row.total) },
                  {
                    key: 'share',
                    head: 'Share',
                    isNumber: true,
                    cell: (row) => formatPercent(row.total / Math.max(1, total)),
                  },
                ]}
              />
            </div>
          )
        }}
      </BreakdownState>
    </section>
  )
}

function toneOf(status: string): StateTone {
  if (status === '429') return 'warn'
  return Number(status) >= 500 ? 'bad' : 'client'
}
