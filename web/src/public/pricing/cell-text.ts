import type { PlanCell } from './plan-rows.ts'
import type { PricingWord } from './pricing-words.ts'

type Translation = {
  words: (name: PricingWord, values?: Record<string, number>) => string
  /** Translates a text of a shipped tier document, and returns any other unchanged. */
  known: (text: string) => string
  language: string
}

/** The text of a cell without a check mark. */
export function cellText(cell: PlanCell, { words, known, language }: Translation): string {
  switch (cell.kind) {
    case 'number':
      return new Intl.NumberFormat(language).format(cell.value)
    case 'texts':
      return cell.texts.map(known).join(', ')
    case 'hours':
      return words('hours', { count: cell.hours })
    case 'days':
      return words('days', { count: cell.days })
    case 'history':
      return words(cell.isComplete ? 'complete' : 'lastDay')
    case 'included':
    case 'missing':
      return words(cell.kind)
  }
}
