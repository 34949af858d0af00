import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import type { Tier } from '@tapeline/contracts/actor'
import type { Pricing } from '@tapeline/contracts/config/http'
import { Check } from 'lucide-react'
import { Fragment } from 'react'
import { i18n } from '../../language/i18n.ts'
import { fittingPlan, type Load } from './fit-plan.ts'
import { PlanHead } from './PlanHead.tsx'
import { PLAN_GROUPS, type PlanCell, type PlanGroup } from './plan-rows.ts'
import { PLANS } from './plans.ts'
import type { BillingPeriod } from './price-of-plan.ts'

type PlanTableProps = { pricing: Pricing; period: BillingPeriod; load: Load }

const NOTHING = '\u00A0'

/** One grid for heads and rows, so that everything lines up. */
export function PlanTable({ pricing, period, load }: PlanTableProps) {
  const fitting = fittingPlan(pricing, load)
  return (
    <section className="site plan-table" aria-label={t`Plans compared`}>
      <table className="grid">
        <colgroup>
          <col />
          <col />
          <col />
          <col />
        </colgroup>
        <thead>
          <tr>
            <td className="t2 t13">
              <Trans>
                Prices in {pricing.basic.billing.currency}, without tax.
                <br />
                Limits apply to the account,
                <br />
                all keys together.
              </Trans>
            </td>
            {PLANS.map((tier) => (
              <PlanHead
                key={tier}
                pricing={pricing}
                tier={tier}
                period={period}
                load={load}
                isFitting={tier === fitting}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {PLAN_GROUPS.map((group) => (
            <Group key={group.label.id} group={group} pricing={pricing} fitting={fitting} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

type GroupProps = { group: PlanGroup; pricing: Pricing; fitting: Tier | undefined }

function Group({ group, pricing, fitting }: GroupProps) {
  return (
    <Fragment>
      <tr className="grp">
        <th scope="rowgroup">{i18n._(group.label)}</th>
        {PLANS.map((tier) => (
          <td key={tier} className={tier === fitting ? 'fits' : undefined}>
            {NOTHING}
          </td>
        ))}
      </tr>
      {group.rows.map((row) => (
        <tr key={row.label.id}>
          <th scope="row">{i18n._(row.label)}</th>
          {PLANS.map((tier) => {
            const cell = row.cell(pricing[tier])
            return (
              <td key={tier} data-p={pricing[tier].display.name} className={classOf(cell, tier === fitting)}>
                <CellContent cell={cell} />
              </td>
            )
          })}
        </tr>
      ))}
    </Fragment>
  )
}

function CellContent({ cell }: { cell: PlanCell }) {
  if (cell.kind !== 'included') return cell.text
  if (cell.isSoon) return t`soon`
  return (
    <>
      <Check className="i" aria-hidden="true" />
      <span className="sr">{t`included`}</span>
    </>
  )
}

function classOf(cell: PlanCell, isFitting: boolean): string | undefined {
  const isDim = cell.kind === 'missing' || (cell.kind === 'included' && cell.isSoon)
  const names = [isFitting ? 'fits' : '', cell.kind === 'number' ? 'mono' : '', isDim ? 'no' : '']
  return names.filter(Boolean).join(' ') || undefined
}
