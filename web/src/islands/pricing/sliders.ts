import type { Pricing } from '@tapeline/contracts/config/http'
import { fittingPlan, type Load } from '../../public/pricing/fit-plan.ts'
import { type LoadScale, positionOf, scaleFor, ticksOf, valueAt } from '../../public/pricing/load-scale.ts'
import { PLANS } from '../../public/pricing/plans.ts'
import { make, partOf } from '../parts/dom.ts'
import { formatNumber, type Words } from '../parts/words.ts'

const LOAD_AT_FIRST: Load = { perMinute: 64, perMonth: 72_000 }
const LOWEST: Load = { perMinute: 1, perMonth: 100 }
const LIMITS = { perMinute: 'requestsPerMinute', perMonth: 'requestsPerMonth' } as const
type Name = keyof Load

/** Two sliders, and a sentence that describes them. */
export function createSliders(root: HTMLElement, pricing: Pricing, words: Words, onLoad: (load: Load) => void): void {
  const load = { ...LOAD_AT_FIRST }
  const announce = (): void => {
    showSentence(partOf(root, 'fit'), pricing, load, words)
    onLoad(load)
  }
  for (const name of ['perMinute', 'perMonth'] as const) {
    const row = root.querySelector<HTMLElement>(`[data-ruler="${name}"]`)
    if (row === null) continue
    createRuler({ row, name, pricing, words }, (value) => {
      load[name] = value
      announce()
    })
  }
  announce()
}

type RulerOf = { row: HTMLElement; name: Name; pricing: Pricing; words: Words }

function createRuler({ row, name, pricing, words }: RulerOf, onMove: (value: number) => void): void {
  const ends = PLANS.map((tier) => ({ name: pricing[tier].display.name, at: pricing[tier].rateLimits[LIMITS[name]] }))
  const scale = scaleFor(
    LOWEST[name],
    ends.map(({ at }) => at),
  )
  const ruler = row.querySelector<HTMLElement>('.ruler')
  const input = row.querySelector('input')
  if (ruler === null || input === null) return
  row
    .querySelector('.ruler-ticks')
    ?.replaceChildren(...ticksOf(scale).map(({ percent, size }) => at(make('i', { class: size }), percent)))

  const show = (position: number, value: number): void => {
    ruler.style.setProperty('--at', `${position / 10}%`)
    const output = row.querySelector('output')
    if (output !== null) output.textContent = formatNumber(value)
    input.setAttribute('aria-valuetext', words(name === 'perMinute' ? 'aMinute' : 'aMonth', { count: value }))
    row.querySelector('.ruler-marks')?.replaceChildren(...ends.map((end) => mark(end, scale, value)))
  }
  const first = positionOf(scale, LOAD_AT_FIRST[name])
  input.value = String(Math.round(first))
  show(first, LOAD_AT_FIRST[name])
  input.addEventListener('input', () => {
    const value = valueAt(scale, Number(input.value))
    show(Number(input.value), value)
    onMove(value)
  })
}

function mark({ name, at: end }: { name: string; at: number }, scale: LoadScale, value: number): HTMLElement {
  const short = formatNumber(end, { notation: 'compact' })
  const element = make(
    'span',
    { class: end < value ? 'past' : '' },
    make('b', {}, name),
    ' ',
    make('span', { class: 'ruler-name' }, short),
  )
  return at(element, positionOf(scale, end) / 10)
}

function at(element: HTMLElement, percent: number): HTMLElement {
  element.style.left = `${percent}%`
  return element
}

function showSentence(place: HTMLElement | undefined, pricing: Pricing, load: Load, words: Words): void {
  const tier = fittingPlan(pricing, load)
  const name = make('span', { class: 'medium fits-name' })
  if (tier === undefined) {
    name.textContent = words('noneFits')
    place?.replaceChildren(name, ` ${words('ownLimits')}`)
    return
  }
  const { rateLimits, display } = pricing[tier]
  name.textContent = words('fitsName', { plan: display.name })
  const spare = {
    minute: rateLimits.requestsPerMinute - load.perMinute,
    month: rateLimits.requestsPerMonth - load.perMonth,
  }
  place?.replaceChildren(name, ` ${words('spare', spare)}`)
}
