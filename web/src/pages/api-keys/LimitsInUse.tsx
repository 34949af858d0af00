import { t } from '@lingui/core/macro'
import type { UsageLimit } from '@tapeline/contracts/audit/http'
import { useQuery } from '@tanstack/react-query'
import { i18n } from '../../language/i18n.ts'
import { formatCount } from '../../format/number.ts'
import { paths } from '../../paths.ts'
import { Link } from '../../router.ts'
import { hasFlag, FLAGS } from '../../session/features.ts'
import { useUser } from '../../session/use-session.ts'
import { Meter } from '../../ui/Meter.tsx'
import { keyTotalsQuery } from './key-usage.queries.ts'
import { POLICY_NAMES } from './policy-names.ts'

/** Limits as reported by the limiter with the last request. */
export function LimitsInUse() {
  const user = useUser()
  const totals = useQuery(keyTotalsQuery)
  const limits = totals.data?.limits ?? []
  if (limits.length === 0) return null
  return (
    <section className="panel" aria-labelledby="limits-in-use">
      <div className="panel-head">
        <h2 id="limits-in-use">{t`Limits in use`}</h2>
        <span className="small muted">{t`as of the last request, shared by all keys of the account`}</span>
        {hasFlag(user, FLAGS.audit) && (
          <span className="tools">
            <Link className="btn btn-quiet btn-sm" to={paths.metrics}>
              {t`Open audit`}
            </Link>
          </span>
        )}
      </div>
      <dl className="limits">
        {limits.map((limit) => (
          <LimitCell key={limit.policy} {...limit} />
        ))}
      </dl>
    </section>
  )
}

function LimitCell({ policy, used, limit }: UsageLimit) {
  const name = i18n._(POLICY_NAMES[policy])
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span className="mono">{formatCount(used)}</span> <span className="faint mono">/ {formatCount(limit)}</span>
      </dd>
      <dd className="meter-cell">
        <Meter
          label={t`${name} limit`}
          value={used}
          max={limit}
          valueText={t`${formatCount(used)} of ${formatCount(limit)}`}
        />
      </dd>
    </div>
  )
}
