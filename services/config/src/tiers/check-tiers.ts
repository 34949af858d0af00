import { checkTiers as check } from '@tapeline/contracts/config/check-tiers'
import type { TierConfig } from '@tapeline/contracts/config/tiers'
import { AppError } from '@tapeline/service/app-error'
import { findUnwritable } from '../find-unwritable.ts'

/** Tier documents that may be stored; otherwise a failure that names every wrong field. */
export function checkTiers(documents: unknown): TierConfig {
  const unwritable = findUnwritable(documents)
  if (unwritable !== undefined) throw new AppError('tier.invalid', unwritable.message, { errors: [unwritable] })
  const { tiers, problems } = check(documents)
  if (tiers !== undefined) return tiers
  throw new AppError('tier.invalid', problems[0]?.message ?? 'The tier documents are not valid.', { errors: problems })
}
