import { checkTiers as check } from '@tapeline/contracts/config/check-tiers'
import type { TierConfig } from '@tapeline/contracts/config/tiers'
import { AppError } from '@tapeline/service/app-error'
import { findUnwritable } from '../find-unwritable.ts'

/**
 * Validates tier documents.
 * @throws AppError that names every invalid field
 */
export function checkTiers(documents: unknown): TierConfig {
  const unwritable = findUnwritable(documents)
  if (unwritable !== undefined) throw new AppError('tier.invalid', unwritable.message, { errors: [unwritable] })
  const { tiers, problems } = check(documents)
  if (tiers !== undefined) return tiers
  throw new AppError('tier.invalid', problems[0]?.message ?? 'The tier documents are not valid.', { errors: problems })
}
