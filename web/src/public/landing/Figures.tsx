import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { paths } from '../../paths.ts'
import { isBillionMeasured, proseFigures } from '../measured-figures.ts'
import { pageLanguage } from '../page-language.ts'

/** Each claim with its measurement, or the note that it is not measured. */
export function Figures() {
  const figures = proseFigures(pageLanguage())
  const { perSecondAndCore, microseconds, tradeMillions, bytesPerTrade } = figures
  return (
    <section
      className="site figs"
      aria-label={t`Measured figures`}
      data-island="figures"
      data-words={JSON.stringify({
        counted: t`%count% request or probe`.concat(' | ', t`%count% requests and probes`),
        days: t`in %count% day`.concat(' | ', t`in %count% days`),
        within: t`p99 over the last 24 hours.`,
        kept: t`Met`,
        missed: t`Missed`,
      })}
    >
      <dl className="stats">
        <Figure name="response" label={t`Under 100 ms response`} value={t`not measured`} isWords>
          <Verdict of="response" /> <span data-part="response-within" />{' '}
          <span data-part="response-detail">
            <Trans>This browser: no response yet.</Trans>
          </span>{' '}
          <a className="link" href={paths.status}>
            <Trans>All measurements</Trans>
          </a>
        </Figure>
        <Figure name="uptime" label={t`99.9% uptime`} value={t`not measured`} isWords>
          <Verdict of="uptime" />{' '}
          <span data-part="uptime-detail">
            <Trans>no requests measured yet</Trans>
          </span>{' '}
          <a className="link" href={paths.status}>
            <Trans>Day by day</Trans>
          </a>
        </Figure>
        <Figure name="points" label={t`1B+ data points`} value={tradeMillions} unit={t`M trades`}>
          {isBillionMeasured ? (
            <Trans>measured, at {bytesPerTrade} bytes each.</Trans>
          ) : (
            <Trans>
              measured so far, at {bytesPerTrade} bytes each. The figure for a billion is calculated, not measured.
            </Trans>
          )}{' '}
          <a className="link" href={`${paths.docsMarketData}#history`}>
            <Trans>How history is stored</Trans>
          </a>
        </Figure>
        <Figure name="rate" label={t`100K+ requests per second`} value={perSecondAndCore} unit={t`/s per core`}>
          <Trans>{microseconds} µs per request, measured on one core. 100K is calculated, not measured.</Trans>{' '}
          <a className="link" href={paths.blogGateway}>
            <Trans>How</Trans>
          </a>
        </Figure>
      </dl>
    </section>
  )
}

/** The verdict on the measured figure; hidden until there is a measurement. */
function Verdict({ of }: { of: string }) {
  return <span className="state" data-part={`${of}-verdict`} hidden />
}

type FigureProps = {
  name: string
  label: string
  value: string
  unit?: string
  /** Words instead of a number, in the sans-serif font. */
  isWords?: true
  children: ReactNode
}

function Figure({ name, label, value, unit, isWords, children }: FigureProps) {
  return (
    <div className="stat">
      <dt>{label}</dt>
      <dd className={isWords === true ? 'value words' : 'value'} data-part={name}>
        {value}
        {unit !== undefined && <span className="unit">{unit}</span>}
      </dd>
      <dd className="detail">{children}</dd>
    </div>
  )
}
