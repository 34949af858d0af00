import { Plural, Trans } from '@lingui/react/macro'
import { msg, t } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import { useQuery } from '@tanstack/react-query'
import { i18n } from '../../language/i18n.ts'
import { formatCount, formatPercent } from '../../format/number.ts'
import { Link } from '../../router.ts'
import { StateBadge, type StateTone } from '../../ui/StateBadge.tsx'
import { Table } from '../../ui/rows/Table.tsx'
import { BreakdownState } from './BreakdownState.tsx'
import type { MetricsFilter } from './metrics-filter.ts'
import { requestsOf } from './requests-of.ts'
import { breakdownQuery } from './metrics.queries.ts'

const OK_STATUS_MAX = 399
const MEANINGS: Record<string, MessageDescriptor> = {
  400: msg`the request was not valid`,
  401: msg`the key is revoked, expired or inactive`,
  403: msg`not allowed for this key or plan`,
  404: msg`no such instrument or route`,
  410: msg`the cursor’s data is no longer stored`,
  413: msg`the body was too large`,
  415: msg`the body was not JSON`,
  429: msg`a limit was reached`,
  499: msg`the client disconnected before the response`,
  500: msg`something failed on our side`,
  502: msg`a service did not answer`,
  503: msg`a service was unavailable`,
  504: msg`a service took too long`,
}

type ErrorAnalysisProps = { filter: MetricsFilter; total: number; failed: number }

export function ErrorAnalysis({ filter, total, failed }: ErrorAnalysisProps) {
  const breakdown = useQuery(breakdownQuery(filter, 'status'))
  return (
    <section className="panel" aria-labelledby="errors" aria-busy={breakdown.isPlaceholderData}>
      <div className="panel-head">
        <h2 id="errors">{t`Error analysis`}</h2>
        <span className="small muted">
          <Trans>
            <span className="mono">{formatCount(failed)}</span> of <span className="mono">{formatCount(total)}</span>{' '}
            <Plural value={total} one="request" other="requests" />
          </Trans>
        </span>
      </div>
      <BreakdownState breakdown={breakdown} what={t`breakdowns`}>
        {(rows) => {
          const errors = rows.filter(({ key }) => Number(key) > OK_STATUS_MAX)
          if (errors.length === 0)
            return <p className="message muted">{t`No request failed or was rejected in this period.`}</p>
          return (
            <div className="scroll-x" tabIndex={0} role="region" aria-label={t`Error analysis, table`}>
              <Table
                caption={t`Error analysis`}
                rows={errors}
                rowKey={({ key }) => key}
                columns={[
                  {
                    key: 'status',
                    head: t`Status`,
                    cell: ({ key }) => (
                      <StateBadge tone={toneOf(key)}>
                        <Link
                          className="link"
                          to={requestsOf(filter, key)}
                          aria-label={t`Requests answered with ${key}`}
                        >
                          {key}
                        </Link>
                      </StateBadge>
                    ),
                  },
                  { key: 'meaning', head: t`Meaning`, cell: ({ key }) => meaningOf(key), className: 'muted' },
                  { key: 'count', head: t`Count`, isNumber: true, cell: (row) => formatCount(row.total) },
                  {
                    key: 'share',
                    head: t`Share`,
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

function meaningOf(status: string): string {
  const meaning = MEANINGS[status]
  return meaning === undefined ? t`other` : i18n._(meaning)
}

function toneOf(status: string): StateTone {
  if (status === '429') return 'warn'
  return Number(status) >= 500 ? 'bad' : 'client'
}
