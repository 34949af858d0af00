const UNITS: Record<string, number> = { ms: 0.001, second: 1, minute: 60, hour: 3_600, day: 86_400, week: 604_800 }
const SHORT_UNITS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 }
const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const DURATION = /(?:\b(last|a|an|per) |\b(\d+(?:\.\d+)?|[a-z]+) )(ms|second|minute|hour|day|week)s?\b/g
const PERCENT = /(\d+(?:\.(\d+))?) %/g
const BYTES_PER_MIB = 1_048_576
const ROUNDED = 1e-9

/** The expression of an alert with its `for`. */
export type Threshold = { expr: string; for?: string }

/** Percentages, durations and sizes of a sentence that the rule does not have. */
export function wrongThresholds(sentence: string, rule: Threshold): string[] {
  const seconds = secondsIn(rule)
  const products = productsIn(rule.expr)
  const durations = [...sentence.matchAll(DURATION)].filter(([, article, number, unit = '']) => {
    const count = article === undefined ? numberOf(number ?? '') : 1
    // "per second" is a rate, "the weeks" is no number.
    if (article === 'per' || Number.isNaN(count)) return false
    return !seconds.some((one) => isSame(one, count * (UNITS[unit] ?? 0)))
  })
  const percents = [...sentence.matchAll(PERCENT)].filter(([, text = '', digits = '']) => {
    const isShown = (share: number) => isSame(Number((share * 100).toFixed(digits.length)), Number(text))
    return !products.some(({ value, budget }) => isShown(value) || isShown(1 - budget))
  })
  const sizes = [...sentence.matchAll(/(?:(\d+) of )?(\d+) MiB/g)].flatMap(([all, part, whole]) => {
    const isKnown = (size: string | undefined) =>
      size === undefined || products.some(({ value, budget }) => [value, budget].includes(Number(size) * BYTES_PER_MIB))
    return isKnown(part) && isKnown(whole) ? [] : [all]
  })
  return [...[...durations, ...percents].map(([all]) => all), ...sizes]
}

function numberOf(word: string): number {
  return NUMBERS.includes(word) ? NUMBERS.indexOf(word) : Number(word)
}

/** `factor * unit`; a number alone is a product with itself as the unit. */
function productsIn(expr: string): { value: number; budget: number }[] {
  const products = [...expr.matchAll(/([\d.]+) \* ([\d.]+)/g)].map(([, factor, unit]) => ({
    value: Number(factor) * Number(unit),
    budget: Number(unit),
  }))
  return [
    ...products,
    ...[...expr.matchAll(/[<>]=? ([\d.]+)(?! \*)/g)].map(([, one]) => ({ value: Number(one), budget: Number(one) })),
  ]
}

/** Ranges, offsets, `for`, bucket bounds, and numbers compared with: in seconds, and in ms for a metric in ms. */
function secondsIn({ expr, for: pending = '' }: Threshold): number[] {
  const ranges = `${expr} ${pending}`.matchAll(/(?<![\d.])(\d+)([smhd])\b|ratio_rate(\d+)([smhd])\b/g)
  const numbers = productsIn(expr).flatMap(({ value }) => [value, value / 1_000])
  const bounds = [...expr.matchAll(/le="([\d.]+)"/g)].map(([, bound]) => Number(bound))
  return [
    ...[...ranges].map(
      ([, count, unit, ofName, unitOfName]) => Number(count ?? ofName) * (SHORT_UNITS[unit ?? unitOfName ?? ''] ?? 0),
    ),
    ...numbers,
    ...bounds,
  ]
}

function isSame(one: number, other: number): boolean {
  return Math.abs(one - other) < ROUNDED * Math.max(1, Math.abs(one))
}
