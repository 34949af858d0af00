import type { Pricing } from '@tapeline/contracts/config/http'
import { cellText } from '../../public/pricing/cell-text.ts'
import { PLAN_GROUPS } from '../../public/pricing/plan-rows.ts'
import { PLANS } from '../../public/pricing/plans.ts'
import { partOf } from '../parts/dom.ts'
import { knownText, type Words } from '../parts/words.ts'

/** Fills the cells of the comparison from the tier documents. */
export function showCells(root: HTMLElement, pricing: Pricing, words: Words): void {
  const check = partOf(root, 'check')
  const included = (): Node =>
    check instanceof HTMLTemplateElement ? check.content.cloneNode(true) : new Text(words('included'))
  const known = (text: string): string => knownText(words, text)
  const language = document.documentElement.lang
  for (const { rows } of PLAN_GROUPS) {
    for (const row of rows) {
      for (const tier of PLANS) {
        const place = root.querySelector<HTMLElement>(`[data-row="${row.id}"][data-tier="${tier}"]`)
        const cell = row.cell(pricing[tier])
        if (place === null) continue
        place.dataset['kind'] = cell.kind
        place.dataset['p'] = pricing[tier].display.name
        place.replaceChildren(cell.kind === 'included' ? included() : cellText(cell, { words, known, language }))
      }
    }
  }
}
