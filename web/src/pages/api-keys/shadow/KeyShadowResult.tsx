import { t } from '@lingui/core/macro'
import type { KeyShadowLimits } from '@tapeline/contracts/api-key/http'
import type { KeyShadowReport } from '@tapeline/contracts/audit/shadow'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatDateTime } from '../../../format/date.ts'
import { formatWait } from '../../requests/format-wait.ts'
import { formatCount, formatPercent } from '../../../format/number.ts'
import { i18n } from '../../../language/i18n.ts'
import { useSettings } from '../../../settings/use-settings.ts'
import { Tape } from '../../../ui/Tape.tsx'
import { rejectedSlots } from '../../admin/replay/rejected-slots.ts'
import { POLICY_NAMES } from '../policy-names.ts'
import { keyShadowQuery } from './key-shadow.queries.ts'

const TAPE_HEIGHT_PX = 72

/** What the shadow limits would have rejected: how many requests, when, by which limit and for how long. */
export function KeyShadowResult({ shadow }: { shadow: KeyShadowLimits | undefined }) {
  const { timezone } = useSettings()
  const { data, isError } = useQuery({ ...keyShadowQuery(shadow?.id ?? ''), enabled: shadow !== undefined })
  return (
    <section className="key-shadow-result" aria-labelledby="key-shadow-result">
      <h3 id="key-shadow-result">{t`What would be rejected`}</h3>
      {shadow !== undefined && (
        <p className="small muted">{t`Counting since ${formatDateTime(shadow.since, timezone)}, last 7 days`}</p>
      )}
      {shadow === undefined ? (
        <p className="muted">
          {t`This key has no shadow limits. Enter limits and choose “Try these limits”: from then on this shows which requests of the key they would reject.`}
        </p>
      ) : (
        <Decided report={data} hasFailed={isError} />
      )}
    </section>
  )
}

function Decided({ report, hasFailed }: { report: KeyShadowReport | undefined; hasFailed: boolean }) {
  if (hasFailed) return <p className="state state-bad">{t`The report could not be loaded.`}</p>
  if (report === undefined) return <p className="muted">{t`Loading…`}</p>
  if (report.requests === 0) {
    return <p className="muted">{t`No request with this key since then. New ones appear here within seconds.`}</p>
  }
  return (
    <>
      <Summary report={report} />
      <Tape
        label={t`${formatCount(report.would_be_rejected)} of ${formatCount(report.requests)} requests would be rejected, in ${report.hours.length} hours with requests.`}
        now="none"
        heightPx={TAPE_HEIGHT_PX}
        slots={rejectedSlots(report.hours)}
      />
      <p className="small muted">
        {t`The windows were empty when counting began: the day is complete after 24 hours, the month with the next one.`}
      </p>
    </>
  )
}

function Summary({ report }: { report: KeyShadowReport }) {
  const { timezone } = useSettings()
  const { requests, rejected, would_be_rejected: would, first, last_at: lastAt, longest_wait_ms: waitMs } = report
  const limits = report.policies.map(
    ({ policy, requests: count }) => `${i18n._(POLICY_NAMES[policy])} ${formatCount(count)}`,
  )
  return (
    <dl className="key-shadow-sum">
      <Fact name={t`Would be rejected`}>
        {t`${formatCount(would)} of ${formatCount(requests)} (${formatPercent(would / requests)})`}
      </Fact>
      <Fact name={t`Rejected by today’s limits`}>{formatCount(rejected)}</Fact>
      {limits.length > 0 && <Fact name={t`By limit`}>{limits.join(', ')}</Fact>}
      {first !== null && <Fact name={t`First`}>{formatDateTime(first.at, timezone)}</Fact>}
      {lastAt !== null && <Fact name={t`Last`}>{formatDateTime(lastAt, timezone)}</Fact>}
      {waitMs !== null && waitMs > 0 && <Fact name={t`Longest wait`}>{formatWait(waitMs)}</Fact>}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="mono">{children}</dd>
    </div>
  )
}
