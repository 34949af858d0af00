/** A number that contains both separators in every language. */
const SHOWS_SEPARATORS = 12_345.5

/** A decimal string with grouped whole digits; the digits after the point stay exactly as they are. */
export function formatDecimal(decimal: string, language = 'en'): string {
  const match = /^(-?)(\d+)(\.\d+)?$/.exec(decimal)
  if (match === null) return decimal
  const [, sign = '', whole = '', fraction = ''] = match
  const parts = new Intl.NumberFormat(language).formatToParts(SHOWS_SEPARATORS)
  const separator = (type: 'group' | 'decimal'): string => parts.find((part) => part.type === type)?.value ?? ''
  return sign + whole.replace(/\B(?=(\d{3})+$)/g, separator('group')) + fraction.replace('.', separator('decimal'))
}
