import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { POSITION_MAX } from './load-scale.ts'

/** Two sliders on logarithmic scales. Long marks are the limits of the plans; the amber line is the chosen load. */
export function LoadSliders() {
  return (
    <section className="site needs-script" aria-labelledby="load">
      <div className="fit">
        <div className="fit-head">
          <h2 id="load">
            <Trans>Your load</Trans>
          </h2>
          <p aria-live="polite" data-part="fit" />
        </div>
        <Ruler name="perMinute" label={t`Requests a minute, at peak`} />
        <Ruler name="perMonth" label={t`Requests a month`} />
      </div>
    </section>
  )
}

function Ruler({ name, label }: { name: string; label: string }) {
  const id = `load-${name}`
  return (
    <div className="ruler-row" data-ruler={name}>
      <label htmlFor={id}>{label}</label>
      <output className="mono" htmlFor={id} />
      <div className="ruler">
        <div className="ruler-ticks" aria-hidden="true" />
        <div className="ruler-marks" aria-hidden="true" />
        <input id={id} type="range" min={0} max={POSITION_MAX} defaultValue={0} />
      </div>
    </div>
  )
}
