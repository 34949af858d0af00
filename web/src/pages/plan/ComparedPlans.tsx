import { t } from '@lingui/core/macro'
import { TIERS, type Tier } from '@tapeline/contracts/actor'
import type { Pricing } from '@tapeline/contracts/config/http'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
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
        {needs !== undefined && (
          <span className="small muted">
            {t`your plan first; last column: what your usage needs, by its peak so far or the forecast for the month`}
          </span>
        )}
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
            <Head plans={plans} tiers={tiers} needs={needs} />
            <tbody>
              <Row head={t`Price a month`} tiers={tiers} needs={needs} cell={(one) => <Price plan={plans[one]} />} />
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

function Head({ plans, tiers, needs }: RowsProps) {
  const [own] = tiers
  return (
    <thead>
      <tr>
        <th scope="col">
          <span className="sr-only">{t`What is included`}</span>
        </th>
        {tiers.map((one) => (
          <th key={one} scope="col" className={one === own ? 'mine' : undefined}>
            {plans[one].display.name}
            {one === own && <small>{t`Your plan`}</small>}
          </th>
        ))}
        {needs !== undefined && (
          <th scope="col" className="needed">
            {t`Your usage needs`}
          </th>
        )}
      </tr>
    </thead>
  )
}

type RowProps = Pick<RowsProps, 'tiers' | 'needs'> & {
  head: string
  /** The account's need of this limit. */
  need?: string
  cell: (tier: Tier) => ReactNode
}

/** A cell per plan, and the account's need last. */
function Row({ head, tiers, needs, need = '', cell }: RowProps) {
  return (
    <tr>
      <th scope="row">{head}</th>
      {tiers.map((one) => (
        <td key={one} className={one === tiers[0] ? 'mine' : undefined}>
          {cell(one)}
        </td>
      ))}
      {needs !== undefined && <td className="mono muted">{need}</td>}
    </tr>
  )
}

function PlanRows({ plans, tiers, needs }: RowsProps) {
  return PLAN_GROUPS.flatMap(({ rows }) => rows).map(({ id, cell }) => (
    <Row
      key={id}
      head={i18n._(ROW_NAMES[id])}
      tiers={tiers}
      needs={needs}
      need={needs?.of(id) ?? ''}
      cell={(one) => (
        <>
          <Cell cell={cell(plans[one])} />
          {needs?.isTooSmall(one, id) === true && <TooSmall />}
        </>
      )}
    />
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
  const isLarger = (one: Tier): boolean => TIERS.indexOf(one) > TIERS.indexOf(own)
  return (
    <Row
      head={t`Upgrade`}
      tiers={tiers}
      needs={needs}
      cell={(one) =>
        isLarger(one) && (
          <a className="link" href={contactPath('sales')}>
            {t`Upgrade to ${plans[one].display.name}`}
          </a>
        )
      }
    />
  )
}

function Price({ plan }: { plan: Pricing[Tier] }) {
  const { monthlyPrice, currency } = plan.billing
  return <span className="mono">{monthlyPrice === 0 ? t`Custom` : formatMoney(monthlyPrice, currency)}</span>
}

const CELL_CLASSES: Partial<Record<PlanCell['kind'], string>> = { number: 'mono', missing: 'faint' }

function Cell({ cell }: { cell: PlanCell }) {
  return <span className={CELL_CLASSES[cell.kind]}>{cellWords(cell)}</span>
}
