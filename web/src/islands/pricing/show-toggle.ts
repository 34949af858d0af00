import type { Pricing } from '@tapeline/contracts/config/http'
import { PLANS } from '../../public/pricing/plans.ts'
import { type BillingPeriod, discountPercent } from '../../public/pricing/price-of-plan.ts'
import { partOf, setText } from '../parts/dom.ts'
import type { Words } from '../parts/words.ts'

/** A radio group with one tab stop; arrow keys select. */
export function showToggle(
  root: HTMLElement,
  pricing: Pricing,
  words: Words,
  choose: (period: BillingPeriod) => void,
): void {
  const template = partOf(root, 'toggle')
  if (!(template instanceof HTMLTemplateElement)) return
  template.replaceWith(template.content.cloneNode(true))
  setText(root, 'saves', words('saves', { percent: highestDiscount(pricing) }))
  for (const input of root.querySelectorAll<HTMLInputElement>('[name="period"]'))
    input.addEventListener('change', () => choose(input.value === 'yearly' ? 'yearly' : 'monthly'))
}

function highestDiscount(pricing: Pricing): number {
  const paid = PLANS.map((tier) => pricing[tier].billing).filter(({ yearlyPrice }) => yearlyPrice > 0)
  return Math.max(...paid.map(discountPercent))
}
