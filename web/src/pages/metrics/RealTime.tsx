import { t } from '@lingui/core/macro'
import type { RealTimeStats, UsageLimit } from '@tapeline/contracts/audit/http'
import { useQuery } from '@tanstack/react-query'
import { i18n } from '../../language/i18n.ts'
import { formatMilliseconds } from '../../format/duration.ts'
import { formatCount, formatPercent } from '../../format/number.ts'
import { Meter } from '../../ui/Meter.tsx'
import { POLICY_NAMES } from '../api-keys/policy-names.ts'
import { realTimeQuery } from './metrics.queries.ts'

/** The last minute of the whole account, and how full each window is at this moment. */
export function RealTime() {
  const { data, isError } = useQuery(realTimeQuery)
  return (
    <section className="real-time" aria-label={t`Right now`}>
      <h2 className="small">
        {t`Right now`} {isError && data !== undefined && <span className="state state-warn">{t`not updated`}</span>}
      </h2>
      {data === undefined && isError && <p className="small muted">{t`The live figures could not be loaded.`}</p>}
      {data === undefined && !isError && <Unknown />}
      {data !== undefined && (
        <dl>
          {figuresOf(data).map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="mono">{value}</dd>
            </div>
          ))}
          {data.limits.map((limit) => (
            <Window key={limit.policy} {...limit} />
          ))}
        </dl>
      )}
    </section>
  )
}

/** Placeholder for the figures, so that nothing moves when they are loaded. */
function Unknown() {
  const windows = Object.values(POLICY_NAMES).map((name) => i18n._(name))
  return (
    <>
      <span className="sr-only" role="status">{t`Loading`}</span>
      <dl aria-hidden="true">
        {[t`Last minute`, t`Success`, 'p95', t`In flight`].map((name) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="mono">–</dd>
          </div>
        ))}
        {windows.map((name) => (
          <div key={name} className="window">
            <dt>{name}</dt>
            <dd>
              <span className="mono">–</span>
              <div className="meter" />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function figuresOf({ last_minute, in_flight }: RealTimeStats): { name: string; value: string }[] {
  const { total, success_rate, latency_ms } = last_minute
  return [
    { name: t`Last minute`, value: formatCount(total) },
    { name: t`Success`, value: success_rate === null ? '–' : formatPercent(success_rate) },
    ...(latency_ms === null ? [] : [{ name: 'p95', value: `${formatMilliseconds(latency_ms.p95)} ms` }]),
    { name: t`In flight`, value: in_flight === null ? '–' : formatCount(in_flight) },
  ]
}

function Window({ policy, used, limit }: UsageLimit) {
  const name = i18n._(POLICY_NAMES[policy])
  return (
    <div className="window">
      <dt>{name}</dt>
      <dd>
        <span className="mono">
          {formatCount(used)} <span className="faint">/ {formatCount(limit)}</span>
        </span>
        <Meter
          label={t`${name}, now`}
          value={used}
          max={limit}
          valueText={t`${formatCount(used)} of ${formatCount(limit)}`}
        />
      </dd>
    </div>
  )
}
