export type Words = (name: string, values?: Record<string, string | number>) => string

/** The page's texts in its language: `%name%` is replaced, `one | other` is selected by `count`. */
export function wordsOf(root: HTMLElement): Words {
  const texts: Record<string, string> = JSON.parse(root.dataset['words'] ?? '{}')
  const plural = new Intl.PluralRules(document.documentElement.lang)
  return (name, values = {}) => {
    const forms = (texts[name] ?? '').split(' | ')
    const isOne = typeof values['count'] === 'number' && plural.select(values['count']) === 'one'
    const text = (isOne ? forms[0] : forms.at(-1)) ?? ''
    return text.replace(/%(\w+)%/g, (_all, key: string) => show(values[key]))
  }
}

/** A text of a plan as shipped, in the language of the page; another one as the operator wrote it. */
export function knownText(words: Words, text: string): string {
  return words(`text:${text}`) || text
}

function show(value: string | number | undefined): string {
  return typeof value === 'number' ? formatNumber(value) : (value ?? '')
}

/** Formats a number in the language of the page. */
export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(document.documentElement.lang, options).format(value)
}

/** 0.42, 23.4, 418: without the unit. */
export function formatMs(durationMs: number): string {
  const digits = durationMs < 1 ? 2 : durationMs < 100 ? 1 : 0
  return formatNumber(durationMs, { maximumFractionDigits: digits })
}

/** Never rounded up, so that a share below the target is shown as below it; nor down to 0. */
export function formatShare(share: number): string {
  const shown = share > 0 && share < 0.0001 ? 0.0001 : share
  return formatNumber(shown, { style: 'percent', maximumFractionDigits: 2, roundingMode: 'floor' })
}
