import { t } from '@lingui/core/macro'
import type { ShadowReport } from '@tapeline/contracts/audit/shadow'
import type { ShadowLimits } from '@tapeline/contracts/config/shadow-limits'
import { useQuery } from '@tanstack/react-query'
import { formatDateTime } from '../../../format/date.ts'
import { formatWait } from '../../requests/format-wait.ts'
import { formatCount, formatPercent } from '../../../format/number.ts'
import { RejectedHours } from '../replay/RejectedHours.tsx'
import { ShadowAccounts } from './ShadowAccounts.tsx'
import { shadowReportQuery } from './shadow.queries.ts'

/** Since when a tier's shadow limits decide, and what they would have rejected. */
export function ShadowState({ shadow, days }: { shadow: ShadowLimits | undefined; days: number }) {
  const { data, isError } = useQuery({
    ...shadowReportQuery(shadow?.id ?? '', days),
    enabled: shadow !== undefined,
  })
  return (
    <>
      <section className="panel" aria-labelledby="shadow-result">
        <div className="panel-head">
          <h2 id="shadow-result">{t`What would be rejected`}</h2>
          {shadow !== undefined && (
            <span className="small muted">{t`counting since ${formatDateTime(shadow.since)} UTC`}</span>
          )}
        </div>
        {shadow !== undefined && data !== undefined ? (
          <Summary report={data} />
        ) : (
          <Waiting hasShadow={shadow !== undefined} hasFailed={isError} />
        )}
      </section>
      {shadow !== undefined && data !== undefined && data.requests > 0 && (
        <div className="replay-wide">
          <RejectedHours result={data} />
          <ShadowAccounts report={data} />
        </div>
      )}
    </>
  )
}

function Waiting({ hasShadow, hasFailed }: { hasShadow: boolean; hasFailed: boolean }) {
  if (hasFailed) return <p className="panel-body state state-bad">{t`The report could not be loaded.`}</p>
  if (hasShadow) return <p className="panel-body muted">{t`Loading…`}</p>
  return (
    <p className="panel-body muted">
      {t`This tier has no shadow limits. Enter limits and choose “Try these limits”: from then on this page shows which requests they would reject.`}
    </p>
  )
}

function Summary({ report }: { report: ShadowReport }) {
  const { requests, rejected } = report
  if (requests === 0) {
    return <p className="panel-body muted">{t`No request of the tier has been decided yet in this period.`}</p>
  }
  const share = (count: number) => formatPercent(count / requests)
  return (
    <>
      <dl className="replay-sum">
        <div>
          <dt>{t`Would be rejected`}</dt>
          <dd className="mono total">{formatCount(report.would_be_rejected)}</dd>
        </div>
        <div>
          <dt>{t`Rejected by today’s limits`}</dt>
          <dd className="mono">{formatCount(rejected)}</dd>
        </div>
        <div>
          <dt>{t`Of all requests`}</dt>
          <dd className="mono">{t`${share(report.would_be_rejected)} from ${share(rejected)}`}</dd>
        </div>
        <div>
          <dt>{t`Rejected today, would be admitted`}</dt>
          <dd className="mono">{formatCount(report.newly_admitted)}</dd>
        </div>
        <div>
          <dt>{t`Accounts that would be affected`}</dt>
          <dd className="mono">{t`${formatCount(report.accounts_affected)} of ${formatCount(report.accounts)}`}</dd>
        </div>
        {report.longest_wait_ms !== null && (
          <div>
            <dt>{t`Longest wait`}</dt>
            <dd className="mono">{formatWait(report.longest_wait_ms)}</dd>
          </div>
        )}
      </dl>
      <p className="panel-foot">
        {t`The windows were empty when counting began: the day is complete after 24 hours, the month with the next one.`}
      </p>
    </>
  )
}
