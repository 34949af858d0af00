import { numberFormat } from './locale.ts'

/** Money of a plan: $29, $24.17. */
export function formatMoney(amount: number, currency: string): string {
  const isWhole = Number.isInteger(amount)
  return numberFormat({
    style: 'currency',
    currency,
    minimumFractionDigits: isWhole ? 0 : 2,
    maximumFractionDigits: 2,
  }).format(amount)
}
