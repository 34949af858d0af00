import type { PlanCell } from './plan-rows.ts'
import type { PricingWord } from './pricing-words.ts'

type Say = (name: PricingWord, values?: Record<string, number>) => string

/** The text of a cell without a check mark. */
export function cellText(cell: PlanCell, say: Say, language = 'en'): string {
  switch (cell.kind) {
    case 'number':
      return new Intl.NumberFormat(language).format(cell.value)
    case 'text':
      return cell.text
    case 'days':
      return say('days', { count: cell.days })
    case 'history':
      return say(cell.isComplete ? 'complete' : 'lastDay')
    case 'included':
    case 'missing':
      return say(cell.kind)
  }
}
