import { TIERS } from '@tapeline/contracts/actor'
import { checkTiers as check } from '@tapeline/contracts/config/check-tiers'
import type { TierConfig } from '@tapeline/contracts/config/tiers'
import { fieldSentence } from '@tapeline/contracts/field-sentence'
import { AppError, type FieldError } from '@tapeline/service/app-error'
import { findUnwritable } from '../find-unwritable.ts'

const PRICES = ['monthlyPrice', 'yearlyPrice'] as const
const PRICE_DECIMALS = 2
const CENT = 0.01

/**
 * Validates tier documents. `current`: the stored ones, whose prices may stay.
 * @throws AppError that names every invalid field
 */
export function checkTiers(documents: unknown, current?: TierConfig): TierConfig {
  const unwritable = findUnwritable(documents)
  if (unwritable !== undefined) throw new AppError('tier.invalid', unwritable.message, { errors: [unwritable] })
  const { tiers, problems } = check(documents)
  const errors = tiers === undefined ? problems : brokenCents(tiers, current)
  if (tiers !== undefined && errors.length === 0) return tiers
  throw new AppError('tier.invalid', errors[0]?.message ?? 'The tier documents are not valid.', { errors })
}

/**
 * Prices that an invoice, whose amount has two decimals, would not charge as they are shown. Gateways do not check them:
 * they apply documents that were stored earlier.
 */
function brokenCents(tiers: TierConfig, current: TierConfig | undefined): FieldError[] {
  return TIERS.flatMap((tier) =>
    PRICES.flatMap((name) => {
      const price = tiers[tier].billing[name]
      if (Number(price.toFixed(PRICE_DECIMALS)) === price || price === current?.[tier].billing[name]) return []
      const message = `${name} ${fieldSentence('multipleOf', CENT)}`
      return [{ field: `/${tier}/billing/${name}`, message, rule: 'multipleOf', limit: CENT }]
    }),
  )
}
