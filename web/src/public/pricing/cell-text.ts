import type { PlanCell } from './plan-rows.ts'
import type { PricingWord } from './pricing-words.ts'

type Translate = (name: PricingWord, values?: Record<string, number>) => string

/** The text of a cell without a check mark. */
export function cellText(cell: PlanCell, translate: Translate, language = 'en'): string {
  switch (cell.kind) {
    case 'number':
      return new Intl.NumberFormat(language).format(cell.value)
    case 'text':
      return cell.text
    case 'days':
      return translate('days', { count: cell.days })
    case 'history':
      return translate(cell.isComplete ? 'complete' : 'lastDay')
    case 'included':
    case 'missing':
      return translate(cell.kind)
  }
}
