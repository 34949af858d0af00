import { t } from '@lingui/core/macro'
import type { Plan } from '@tapeline/contracts/config/plans'
import { useQuery } from '@tanstack/react-query'
import { formatCount } from '../../format/number.ts'
import { paths } from '../../paths.ts'
import { Link } from '../../router.ts'
import { FLAGS, hasFlag } from '../../session/features.ts'
import { useUser } from '../../session/use-session.ts'
import { Meter } from '../../ui/Meter.tsx'
import { limitsNowQuery } from './plan.queries.ts'
import { type LimitWindow, noticesOf, windowsOf } from './windows.ts'

/** The numbers that the limiter decides by, against the plan. */
export function UsedLimits({ plan }: { plan: Plan }) {
  const mayRead = hasFlag(useUser(), FLAGS.audit)
  const limits = useQuery({ ...limitsNowQuery, enabled: mayRead })
  const windows = windowsOf(plan.rate_limits, limits.data ?? [])
  return (
    <section className="panel" aria-labelledby="used-limits">
      <div className="panel-head">
        <h2 id="used-limits">{t`Usage against limits`}</h2>
        <span className="t13 t2">{toldOf(mayRead, limits)}</span>
        {mayRead && (
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

function toldOf(
  mayRead: boolean,
  { data, isError }: { data: readonly unknown[] | undefined; isError: boolean },
): string {
  if (!mayRead) return t`what your plan allows; the audit that counts is switched off`
  if (data === undefined) return isError ? t`what is used could not be loaded` : t`loading what is used`
  return data.length === 0 ? t`no request yet` : t`shared by all keys of the account`
}

function Window({ name, limit, used }: LimitWindow) {
  const told = used === undefined ? '–' : formatCount(used)
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span className="mono">{told}</span> <span className="t3 mono">/ {formatCount(limit)}</span>
      </dd>
      <dd className="m">
        <Meter
          label={t`${name} limit`}
          value={used ?? 0}
          max={limit}
          valueText={used === undefined ? t`nothing known yet` : t`${told} of ${formatCount(limit)}`}
        />
      </dd>
    </div>
  )
}
