import type { Tier } from '@tapeline/contracts/actor'
import type { Pricing } from '@tapeline/contracts/config/http'
import type { TierDocument } from '@tapeline/contracts/config/tiers'
import { FEATURES_MAX } from '../../public/pricing/features-max.ts'
import { fittingPlan, type Load, verdictOn } from '../../public/pricing/fit-plan.ts'
import { PLANS } from '../../public/pricing/plans.ts'
import {
  type Billing,
  type BillingPeriod,
  discountPercent,
  moneyText,
  monthOfYear,
  priceText,
} from '../../public/pricing/price-of-plan.ts'
import { make, partOf, setText } from '../parts/dom.ts'
import { knownText, type Words } from '../parts/words.ts'

export function showHeads(root: HTMLElement, pricing: Pricing, period: BillingPeriod, words: Words): void {
  setText(root, 'prices', words('prices', { currency: pricing.basic.billing.currency }))
  for (const tier of PLANS) {
    const head = headOf(root, tier)
    if (head === null) continue
    showPrice(head, pricing[tier].billing, period, words)
    showWords(head, pricing[tier], words)
  }
}

function showPrice(head: HTMLElement, billing: Billing, period: BillingPeriod, words: Words): void {
  const language = document.documentElement.lang
  const price = priceText(billing, period, language)
  setText(head, 'price', price ?? words('custom'))
  partOf(head, 'price')?.classList.toggle('words', price === undefined)
  setText(head, 'unit', price === undefined ? '' : words(period === 'monthly' ? 'perMonth' : 'perYear'))
  const isYear = period === 'yearly' && price !== undefined
  const trial = billing.trialPeriod > 0 ? words('trial', { count: billing.trialPeriod }) : words('noTrial')
  const monthly = moneyText(billing.monthlyPrice, billing.currency, language)
  setText(head, 'note', isYear ? words('instead', { price: monthOfYear(billing, language), monthly }) : trial)
  setText(head, 'discount', isYear ? words('discount', { percent: discountPercent(billing) }) : '')
}

function showWords(head: HTMLElement, { display }: TierDocument, words: Words): void {
  setText(head, 'name', display.name)
  setText(head, 'desc', knownText(words, display.description))
  setText(head, 'badge', knownText(words, display.badge ?? ''))
  partOf(head, 'badge')?.toggleAttribute('hidden', display.badge === null)
  const list = partOf(head, 'features')
  const check = list?.querySelector('svg')
  const more = display.features.length - FEATURES_MAX
  list?.replaceChildren(
    ...display.features.slice(0, FEATURES_MAX).map((feature) => {
      const mark = check?.cloneNode(true)
      return make('li', {}, ...(mark === undefined ? [] : [mark]), make('span', {}, knownText(words, feature)))
    }),
    ...(more > 0 ? [make('li', { class: 'more' }, words('more', { count: more }))] : []),
  )
}

/** Which plan fits, and the message of each plan about the load. */
export function showVerdicts(root: HTMLElement, pricing: Pricing, load: Load, words: Words): void {
  const fitting = fittingPlan(pricing, load)
  for (const cell of root.querySelectorAll<HTMLElement>('[data-tier]'))
    cell.classList.toggle('fits', cell.dataset['tier'] === fitting)
  for (const tier of PLANS) {
    const head = headOf(root, tier)
    const verdict = verdictOn(pricing, tier, load)
    const state = head === null ? undefined : partOf(head, 'verdict')
    if (head === null || state === undefined) continue
    partOf(head, 'start')?.classList.toggle('btn-primary', tier === fitting)
    state.className = `state state-${verdict.kind === 'fits' || verdict.kind === 'room' ? 'ok' : 'off'}`
    state.textContent = verdictText(pricing[tier], verdict, words)
  }
}

function verdictText({ rateLimits }: TierDocument, verdict: ReturnType<typeof verdictOn>, words: Words): string {
  if (verdict.kind === 'room') return words('room', { times: Number(verdict.times.toFixed(1)) })
  const count = verdict.kind === 'endsAtMonth' ? rateLimits.requestsPerMonth : rateLimits.requestsPerMinute
  return words(verdict.kind, { count })
}

function headOf(root: HTMLElement, tier: Tier): HTMLElement | null {
  return root.querySelector<HTMLElement>(`[data-head="${tier}"]`)
}
