import type { TierDocument } from '@tapeline/contracts/config/tiers'

export type BillingPeriod = 'monthly' | 'yearly'
export type Billing = TierDocument['billing']

const MONTHS = 12
const DISCOUNT_DEFAULT_PERCENT = 20

/** Undefined when the price is 0: then it reads 'Custom'. */
export function priceText(billing: Billing, period: BillingPeriod, language: string): string | undefined {
  const price = period === 'monthly' ? billing.monthlyPrice : billing.yearlyPrice
  return price === 0 ? undefined : moneyText(price, billing.currency, language)
}

/** Monthly price when billed yearly. */
export function monthOfYear({ yearlyPrice, currency }: Billing, language: string): string {
  return moneyText(yearlyPrice / MONTHS, currency, language)
}

/** $29, $24.17: cents only when they are needed. */
export function moneyText(amount: number, currency: string, language: string): string {
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
    maximumFractionDigits: 2,
  }).format(amount)
}

/** The discount from the plan's data; 20 percent if it has none. */
export function discountPercent(billing: Partial<Billing>): number {
  return billing.yearlyDiscount ?? DISCOUNT_DEFAULT_PERCENT
}
