import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import type { Pricing } from '@tapeline/contracts/config/http'
import type { RateLimits } from '@tapeline/contracts/config/tiers'
import { type CSSProperties, useId, useState } from 'react'
import { formatCount, formatShortCount } from '../../format/number.ts'
import { fittingPlan, type Load } from './fit-plan.ts'
import { POSITION_MAX, positionOf, scaleFor, ticksOf, valueAt } from './load-scale.ts'
import { PLANS } from './plans.ts'

type LoadRulersProps = { pricing: Pricing; load: Load; onChange: (load: Load) => void }

/** Two rulers on logarithmic scales. Long marks are where a plan ends, the amber line is you. */
export function LoadRulers({ pricing, load, onChange }: LoadRulersProps) {
  return (
    <section className="site" aria-labelledby="load">
      <div className="fit">
        <div className="fit-head">
          <h2 id="load">{t`Your load`}</h2>
          <FitSentence pricing={pricing} load={load} />
        </div>
        <Ruler
          label={t`Requests a minute, at peak`}
          unit={t`requests a minute`}
          min={1}
          pricing={pricing}
          limit="requestsPerMinute"
          value={load.perMinute}
          onChange={(perMinute) => onChange({ ...load, perMinute })}
        />
        <Ruler
          label={t`Requests a month`}
          unit={t`requests a month`}
          min={100}
          pricing={pricing}
          limit="requestsPerMonth"
          value={load.perMonth}
          onChange={(perMonth) => onChange({ ...load, perMonth })}
        />
      </div>
    </section>
  )
}

function FitSentence({ pricing, load }: { pricing: Pricing; load: Load }) {
  const tier = fittingPlan(pricing, load)
  if (tier === undefined) {
    return (
      <p aria-live="polite">
        <Trans>
          <span className="med fits-name">No plan fits.</span> An operator can give an account limits of its own.
        </Trans>
      </p>
    )
  }
  const { rateLimits, display } = pricing[tier]
  return (
    <p aria-live="polite">
      <Trans>
        <span className="med fits-name">{display.name} fits.</span> At your busiest it leaves{' '}
        <span className="mono">{formatCount(rateLimits.requestsPerMinute - load.perMinute)}</span> requests a minute
        spare, and <span className="mono">{formatCount(rateLimits.requestsPerMonth - load.perMonth)}</span> a month.
      </Trans>
    </p>
  )
}

type RulerProps = {
  label: string
  unit: string
  min: number
  pricing: Pricing
  limit: keyof RateLimits
  value: number
  onChange: (value: number) => void
}

function Ruler({ label, unit, min, pricing, limit, value, onChange }: RulerProps) {
  const id = useId()
  const ends = PLANS.map((tier) => ({ tier, name: pricing[tier].display.name, at: pricing[tier].rateLimits[limit] }))
  const scale = scaleFor(
    min,
    ends.map(({ at }) => at),
  )
  // Kept beside the rounded value, or a single step of the arrow keys would round back to where it was.
  const [position, setPosition] = useState(() => positionOf(scale, value))
  function move(to: number): void {
    setPosition(to)
    onChange(valueAt(scale, to))
  }
  return (
    <div className="ruler-row">
      <label htmlFor={id}>{label}</label>
      <output className="mono" htmlFor={id}>
        {formatCount(value)}
      </output>
      <div className="ruler" style={{ '--at': `${position / 10}%` } as CSSProperties}>
        <div className="ruler-ticks" aria-hidden="true">
          {ticksOf(scale).map(({ percent, size }) => (
            <i key={percent} className={size} style={{ left: `${percent}%` }} />
          ))}
        </div>
        <div className="ruler-marks" aria-hidden="true">
          {ends.map(({ tier, name, at }) => (
            <span
              key={tier}
              className={at < value ? 'past' : undefined}
              style={{ left: `${positionOf(scale, at) / 10}%` }}
            >
              <b>{name}</b> <span className="n">{formatShortCount(at)}</span>
            </span>
          ))}
        </div>
        <input
          id={id}
          type="range"
          min={0}
          max={POSITION_MAX}
          value={Math.round(position)}
          aria-valuetext={`${formatCount(value)} ${unit}`}
          onChange={(event) => move(Number(event.currentTarget.value))}
        />
      </div>
    </div>
  )
}
