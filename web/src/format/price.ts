/** Money of a plan: $29, $24.17. */
export function formatMoney(amount: number, currency: string): string {
  const isWhole = Number.isInteger(amount)
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: isWhole ? 0 : 2,
    maximumFractionDigits: 2,
  }).format(amount)
}

/** A decimal string with grouped whole digits; the digits after the point stay exactly as they are. */
export function formatDecimal(decimal: string): string {
  const match = /^(-?)(\d+)(\.\d+)?$/.exec(decimal)
  if (match === null) return decimal
  const [, sign = '', whole = '', fraction = ''] = match
  return sign + whole.replace(/\B(?=(\d{3})+$)/g, ',') + fraction
}
