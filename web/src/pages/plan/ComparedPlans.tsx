import { t } from '@lingui/core/macro'
import { TIERS, type Tier } from '@tapeline/contracts/actor'
import type { Pricing } from '@tapeline/contracts/config/http'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { i18n } from '../../language/i18n.ts'
import { pricingQuery } from '../../api/pricing.queries.ts'
import { contactPath } from '../../paths.ts'
import { formatMoney } from '../../format/price.ts'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { PLAN_GROUPS, type PlanCell } from '../../public/pricing/plan-rows.ts'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { type Needs, needsOf } from './needs.ts'
import { cellWords, ROW_NAMES } from './plan-words.ts'
import { forecastQuery } from './plan.queries.ts'

/** Every plan next to the user's own, from the tier documents that the limiter enforces. */
export function ComparedPlans({ tier }: { tier: Tier }) {
  const pricing = useQuery(pricingQuery)
  const plans = pricing.data
  const forecast = useQuery(forecastQuery).data
  // The account's own column first: on a phone the others scroll.
  const tiers = [tier, ...TIERS.filter((one) => one !== tier)]
  const needs = forecast === undefined || forecast.needed.length === 0 ? undefined : needsOf(forecast)
  return (
    <section className="panel" aria-labelledby="compared-plans">
      <div className="panel-head">
        <h2 id="compared-plans">{t`Compare plans`}</h2>
        {needs !== undefined && <span className="small muted">{t`your plan first, beside what you needed`}</span>}
      </div>
      {plans === undefined && pricing.isError && (
        <ErrorPanel
          title={t`Failed to load pricing information. Please try again later.`}
          onRetry={() => void pricing.refetch()}
          isRetrying={pricing.isFetching}
        />
      )}
      {plans !== undefined && (
        <div className="scroll-x" tabIndex={0} role="region" aria-label={t`Plans`}>
          <table className="table compared">
            <thead>
              <tr>
                <th scope="col">
                  <span className="sr-only">{t`What is included`}</span>
                </th>
                {tiers.map((one) => (
                  <Fragment key={one}>
                    <th scope="col" className={one === tier ? 'mine' : undefined}>
                      {plans[one].display.name}
                      {one === tier && <small>{t`Your plan`}</small>}
                    </th>
                    {one === tier && needs !== undefined && (
                      <th scope="col">
                        {t`You needed`}
                        <small>{t`highest use, or likely month`}</small>
                      </th>
                    )}
                  </Fragment>
                ))}
              </tr>
            </thead>
            <tbody>
              <tr>
                <th scope="row">{t`Price a month`}</th>
                {tiers.map((one) => {
                  const { monthlyPrice, currency } = plans[one].billing
                  return (
                    <Fragment key={one}>
                      <td className={one === tier ? 'mono mine' : 'mono'}>
                        {monthlyPrice === 0 ? t`Custom` : formatMoney(monthlyPrice, currency)}
                      </td>
                      {one === tier && needs !== undefined && <td />}
                    </Fragment>
                  )
                })}
              </tr>
              <PlanRows plans={plans} tiers={tiers} needs={needs} />
              <WayRow plans={plans} tiers={tiers} needs={needs} />
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

type RowsProps = { plans: Pricing; tiers: readonly Tier[]; needs: Needs | undefined }

function PlanRows({ plans, tiers, needs }: RowsProps) {
  return PLAN_GROUPS.flatMap(({ rows }) => rows).map(({ id, cell }) => (
    <tr key={id}>
      <th scope="row">{i18n._(ROW_NAMES[id])}</th>
      {tiers.map((one) => (
        <Fragment key={one}>
          <td className={one === tiers[0] ? 'mine' : undefined}>
            <Cell cell={cell(plans[one])} /> {needs?.isTooSmall(one, id) === true && <TooSmall />}
          </td>
          {one === tiers[0] && needs !== undefined && <td className="mono muted">{needs.of(id)}</td>}
        </Fragment>
      ))}
    </tr>
  ))
}

function TooSmall() {
  return (
    <span className="too-small">
      <StateBadge tone="bad">{t`too small`}</StateBadge>
    </span>
  )
}

/** How to get each larger plan; billing is arranged with support. */
function WayRow({ plans, tiers, needs }: RowsProps) {
  const [own = 'free'] = tiers
  if (own === TIERS.at(-1)) return null
  return (
    <tr>
      <th scope="row">{t`Upgrade`}</th>
      {tiers.map((one) => (
        <Fragment key={one}>
          <td className={one === own ? 'mine' : undefined}>
            {TIERS.indexOf(one) > TIERS.indexOf(own) && (
              <a className="link" href={contactPath('sales')}>
                {t`Upgrade to ${plans[one].display.name}`}
              </a>
            )}
          </td>
          {one === own && needs !== undefined && <td />}
        </Fragment>
      ))}
    </tr>
  )
}

const LOOKS: Partial<Record<PlanCell['kind'], string>> = { number: 'mono', missing: 'faint' }

function Cell({ cell }: { cell: PlanCell }) {
  return <span className={LOOKS[cell.kind]}>{cellWords(cell)}</span>
}
