import type { UsageReport } from '@tapeline/contracts/audit/http'
import { formatCount } from '../../format/number.ts'
import { Meter } from '../../ui/Meter.tsx'
import { POLICY_NAMES } from '../api-keys/policy-names.ts'

/** The highest use of each window in the period, as the limiter reported it with the requests. */
export function SystemUsage({ report: { limits } }: { report: UsageReport }) {
  return (
    <section className="panel" aria-labelledby="use">
      <div className="panel-head">
        <h2 id="use">System usage</h2>
        <span className="t13 t2">peak against limit</span>
      </div>
      {limits.length === 0 ? (
        <p className="msg t2">The first request fills this in.</p>
      ) : (
        <dl className="use">
          {limits.map(({ policy, peak, limit }) => (
            <div key={policy}>
              <dt>{POLICY_NAMES[policy]}</dt>
              <dd>
                <Meter
                  label={`${POLICY_NAMES[policy]}, peak`}
                  value={peak}
                  max={limit}
                  valueText={`${formatCount(peak)} of ${formatCount(limit)}`}
                />
              </dd>
              <dd className="n mono">
                {formatCount(peak)} <span className="t3">/ {formatCount(limit)}</span>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}
