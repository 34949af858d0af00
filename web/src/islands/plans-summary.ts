import type { Pricing } from '@tapeline/contracts/config/http'
import { PLANS } from '../public/pricing/plans.ts'
import { priceText } from '../public/pricing/price-of-plan.ts'
import { call } from './parts/call.ts'
import { partOf, setText } from './parts/dom.ts'
import { formatNumber, knownText, type Words, wordsOf } from './parts/words.ts'

/**
 * Prices and limits from the API; without an answer only the names of the plans and a link to the comparison are shown.
 */
export function start(root: HTMLElement): void {
  const words = wordsOf(root)
  void call<{ data: Pricing }>('/api/v1/internal/subscription/pricing').then(
    ({ body: { data } }) => {
      for (const tier of PLANS) showPlan(root.querySelector<HTMLElement>(`[data-plan="${tier}"]`), data[tier], words)
    },
    () => undefined,
  )
}

function showPlan(plan: HTMLElement | null, { display, billing, rateLimits }: Pricing['free'], words: Words): void {
  if (plan === null) return
  plan.classList.remove('is-empty')
  setText(plan, 'name', display.name)
  const price = priceText(billing, 'monthly', document.documentElement.lang)
  setText(plan, 'price', price ?? words('custom'))
  partOf(plan, 'price')?.classList.toggle('words', price === undefined)
  setText(plan, 'badge', knownText(words, display.badge ?? ''))
  setText(plan, 'perMinute', formatNumber(rateLimits.requestsPerMinute))
  setText(plan, 'perMonth', formatNumber(rateLimits.requestsPerMonth))
  reveal(plan, 'badge', display.badge !== null)
  reveal(plan, 'unit', price !== undefined)
}

function reveal(plan: HTMLElement, name: string, isShown: boolean): void {
  const part = partOf(plan, name)
  if (part !== undefined) part.hidden = !isShown
}
