import { t } from '@lingui/core/macro'
import type { TierDocument } from '@tapeline/contracts/config/tiers'
import { formatMoney } from '../../format/price.ts'

export type BillingPeriod = 'monthly' | 'yearly'
export type Billing = TierDocument['billing']

const MONTHS = 12
const DISCOUNT_DEFAULT_PERCENT = 20

export type PlanPriceText = {
  /** 'Custom' when the price is 0 (specification §9). */
  price: string
  unit: string | undefined
  /** What a year saves. */
  note: string | undefined
}

export function priceOfPlan(billing: Billing, period: BillingPeriod): PlanPriceText {
  const { monthlyPrice, yearlyPrice, currency } = billing
  const price = period === 'monthly' ? monthlyPrice : yearlyPrice
  if (price === 0) return { price: t`Custom`, unit: undefined, note: undefined }
  if (period === 'monthly') return { price: formatMoney(price, currency), unit: t`per month`, note: undefined }
  return {
    price: formatMoney(price, currency),
    unit: t`per year`,
    note: t`${formatMoney(price / MONTHS, currency)} a month, instead of ${formatMoney(monthlyPrice, currency)}`,
  }
}

/** The saving from the plan's own data; 20 percent when it says none. */
export function discountPercent(billing: Partial<Billing>): number {
  return billing.yearlyDiscount ?? DISCOUNT_DEFAULT_PERCENT
}
