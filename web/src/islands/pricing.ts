import type { Pricing, UserFlags } from '@tapeline/contracts/config/http'
import type { BillingPeriod } from '../public/pricing/price-of-plan.ts'
import { call, CallError } from './parts/call.ts'
import { partOf, setText } from './parts/dom.ts'
import { type Words, wordsOf } from './parts/words.ts'
import { createSliders } from './pricing/sliders.ts'
import { showHeads, showVerdicts } from './pricing/show-heads.ts'
import { showCells } from './pricing/show-cells.ts'
import { showToggle } from './pricing/show-toggle.ts'

const TOGGLE_FLAG = 'pricing_yearly_billing_toggle'
/** Maximum wait for the flags: without them the page shows the public features. */
const FLAGS_WITHIN_MS = 3_000
/** Loading is announced only if it takes longer than this. */
const STATUS_AFTER_MS = 300

/** The plans of this platform: loading, an error with Try Again, or loaded. */
export function start(root: HTMLElement): void {
  const words = wordsOf(root)
  const again = partOf(root, 'again')

  async function load(): Promise<void> {
    root.dataset['state'] = 'loading'
    const timer = setTimeout(() => setText(root, 'status', words('loading')), STATUS_AFTER_MS)
    try {
      const [pricing, hasToggle] = await Promise.all([loadPricing(), isToggleOn()])
      showAll(root, pricing, hasToggle, words)
      root.dataset['state'] = 'ready'
      reveal(root, false)
    } catch (error) {
      root.dataset['state'] = 'failed'
      reveal(root, true)
      setText(root, 'failed', words('failed'))
      const requestId = error instanceof CallError ? error.requestId : undefined
      setText(root, 'request', requestId === undefined ? '' : words('request', { id: requestId }))
    }
    clearTimeout(timer)
    setText(root, 'status', '')
  }
  again?.addEventListener('click', () => void load())
  void load()
}

function reveal(root: HTMLElement, hasFailed: boolean): void {
  const failure = partOf(root, 'failure')
  if (failure === undefined) return
  failure.hidden = !hasFailed
  // Announced again each time it is shown.
  failure.toggleAttribute('role', false)
  if (hasFailed) failure.setAttribute('role', 'alert')
}

async function loadPricing(): Promise<Pricing> {
  return (await call<{ data: Pricing }>('/api/v1/internal/subscription/pricing')).body.data
}

async function isToggleOn(): Promise<boolean> {
  const tooLate = new Promise<undefined>((resolve) => setTimeout(resolve, FLAGS_WITHIN_MS, undefined))
  const flags = call<{ data: UserFlags }>('/api/v1/internal/user/feature-flags').catch(() => undefined)
  return (await Promise.race([flags, tooLate]))?.body.data.featureFlags.includes(TOGGLE_FLAG) === true
}

function showAll(root: HTMLElement, pricing: Pricing, hasToggle: boolean, words: Words): void {
  const prices = (period: BillingPeriod): void => showHeads(root, pricing, period, words)
  prices('monthly')
  showCells(root, pricing, words)
  createSliders(root, pricing, words, (load) => showVerdicts(root, pricing, load, words))
  if (hasToggle) showToggle(root, pricing, words, prices)
}
