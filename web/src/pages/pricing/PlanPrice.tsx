import { type Billing, type BillingPeriod, priceOfPlan } from './price-of-plan.ts'

export function PlanPrice({ billing, period }: { billing: Billing; period: BillingPeriod }) {
  const { price, unit } = priceOfPlan(billing, period)
  if (unit === undefined) return <b className="words">{price}</b>
  return (
    <>
      <b>{price}</b> <span className="unit t2">{unit}</span>
    </>
  )
}
