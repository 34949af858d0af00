import { t } from '@lingui/core/macro'
import type { UsageReport } from '@tapeline/contracts/audit/http'
import { i18n } from '../../language/i18n.ts'
import { formatCount } from '../../format/number.ts'
import { Meter } from '../../ui/Meter.tsx'
import { POLICY_NAMES } from '../api-keys/policy-names.ts'

/** The highest use of each window in the period, as the limiter reported it with the requests. */
export function SystemUsage({ report: { limits } }: { report: UsageReport }) {
  return (
    <section className="panel" aria-labelledby="use">
      <div className="panel-head">
        <h2 id="use">{t`System usage`}</h2>
        <span className="small muted">{t`peak against limit`}</span>
      </div>
      {limits.length === 0 ? (
        <p className="message muted">{t`No requests yet.`}</p>
      ) : (
        <dl className="use">
          {limits.map(({ policy, peak, limit }) => (
            <div key={policy}>
              <dt>{i18n._(POLICY_NAMES[policy])}</dt>
              <dd>
                <Meter
                  label={t`${i18n._(POLICY_NAMES[policy])}, peak`}
                  value={peak}
                  max={limit}
                  valueText={t`${formatCount(peak)} of ${formatCount(limit)}`}
                />
              </dd>
              <dd className="amount mono">
                {formatCount(peak)} <span className="faint">/ {formatCount(limit)}</span>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}
