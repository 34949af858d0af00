import { t } from '@lingui/core/macro'
import { TIERS, type Tier } from '@tapeline/contracts/actor'
import type { Pricing } from '@tapeline/contracts/config/http'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { i18n } from '../../language/i18n.ts'
import { pricingQuery } from '../../api/pricing.queries.ts'
import { formatMoney } from '../../format/price.ts'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { PLAN_GROUPS, type PlanCell } from '../../public/pricing/plan-rows.ts'
import { cellWords, ROW_NAMES } from './plan-words.ts'

/** Every plan beside the reader's own, from the documents that the limiter enforces. */
export function ComparedPlans({ tier }: { tier: Tier }) {
  const pricing = useQuery(pricingQuery)
  const plans = pricing.data
  return (
    <section className="panel" aria-labelledby="compared-plans">
      <div className="panel-head">
        <h2 id="compared-plans">{t`Compare plans`}</h2>
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
                  <span className="sr">{t`What it holds`}</span>
                </th>
                {TIERS.map((one) => (
                  <th key={one} scope="col" className={one === tier ? 'mine' : undefined}>
                    {plans[one].display.name}
                    {one === tier && <span className="t13 t2"> {t`your plan`}</span>}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              <tr>
                <th scope="row">{t`Price a month`}</th>
                {TIERS.map((one) => {
                  const { monthlyPrice, currency } = plans[one].billing
                  return (
                    <td key={one} className="mono">
                      {monthlyPrice === 0 ? t`Custom` : formatMoney(monthlyPrice, currency)}
                    </td>
                  )
                })}
              </tr>
              <PlanRows plans={plans} />
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function PlanRows({ plans }: { plans: Pricing }) {
  return (
    <>
      {PLAN_GROUPS.map((group) => (
        <Fragment key={group.id}>
          {group.rows.map(({ id, cell }) => (
            <tr key={id}>
              <th scope="row">{i18n._(ROW_NAMES[id])}</th>
              {TIERS.map((one) => (
                <td key={one}>
                  <Cell cell={cell(plans[one])} />
                </td>
              ))}
            </tr>
          ))}
        </Fragment>
      ))}
    </>
  )
}

const LOOKS: Partial<Record<PlanCell['kind'], string>> = { number: 'mono', missing: 't3' }

function Cell({ cell }: { cell: PlanCell }) {
  return <span className={LOOKS[cell.kind]}>{cellWords(cell)}</span>
}
