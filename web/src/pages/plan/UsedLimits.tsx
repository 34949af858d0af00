import { t } from '@lingui/core/macro'
import type { Plan } from '@tapeline/contracts/config/plans'
import type { LimitsReport } from '@tapeline/contracts/gateway/http'
import { useQuery } from '@tanstack/react-query'
import { formatCount } from '../../format/number.ts'
import { paths } from '../../paths.ts'
import { Link } from '../../router.ts'
import { FLAGS, hasFlag } from '../../session/features.ts'
import { useUser } from '../../session/use-session.ts'
import { Meter } from '../../ui/Meter.tsx'
import { limitsNowQuery } from './plan.queries.ts'
import { type LimitWindow, noticesOf, windowsOf } from './windows.ts'

/** The limiter's counts compared with the limits of the plan. */
export function UsedLimits({ plan }: { plan: Plan }) {
  const hasAudit = hasFlag(useUser(), FLAGS.audit)
  const limits = useQuery(limitsNowQuery)
  const windows = windowsOf(plan.rate_limits, limits.data?.windows ?? [])
  return (
    <section className="panel" aria-labelledby="used-limits">
      <div className="panel-head">
        <h2 id="used-limits">{t`Usage against limits`}</h2>
        <span className="small muted">{summaryOf(limits)}</span>
        {hasAudit && (
          <span className="tools">
            <Link className="btn btn-quiet btn-sm" to={paths.metrics}>
              {t`Open audit`}
            </Link>
          </span>
        )}
      </div>
      {noticesOf(windows).map(({ text, isFull }) => (
        <p key={text} className={isFull ? 'plan-notice state state-bad' : 'plan-notice state state-warn'}>
          {text}
        </p>
      ))}
      <dl className="plan-limits">
        {windows.map((window) => (
          <Window key={window.name} {...window} />
        ))}
      </dl>
    </section>
  )
}

function summaryOf({ data, isError }: { data: LimitsReport | undefined; isError: boolean }): string {
  if (data === undefined) return isError ? t`the current usage could not be loaded` : t`loading what is used`
  if (data.degraded) return t`approximate: the shared counters are unavailable`
  return t`shared by all keys of the account`
}

function Window({ name, limit, used }: LimitWindow) {
  const shown = used === undefined ? '–' : formatCount(used)
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span className="mono">{shown}</span> <span className="faint mono">/ {formatCount(limit)}</span>
      </dd>
      <dd className="meter-cell">
        <Meter
          label={t`${name} limit`}
          value={used ?? 0}
          max={limit}
          valueText={used === undefined ? t`no data yet` : t`${shown} of ${formatCount(limit)}`}
        />
      </dd>
    </div>
  )
}
