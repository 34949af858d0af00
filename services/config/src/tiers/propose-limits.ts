import type { Tier, UserActor } from '@tapeline/contracts/actor'
import type { TierEdition } from '@tapeline/contracts/config/plans'
import { type ProposeLimits, shadowProblems } from '@tapeline/contracts/config/shadow-limits'
import { RateLimits } from '@tapeline/contracts/config/tiers'
import { AppError } from '@tapeline/service/app-error'
import { Value } from 'typebox/value'
import type { Deps } from '../deps.ts'
import { editTiers } from './edit-tiers.ts'

/**
 * Sets a tier's shadow limits: gateways evaluate them in addition to the limits in force and record the verdicts. Other shadow
 * limits replace those before and begin with empty windows.
 */
export function proposeLimits(
  deps: Pick<Deps, 'db' | 'now' | 'newId'>,
  actor: UserActor,
  tier: Tier,
  { rateLimits, version, reason }: ProposeLimits,
): Promise<TierEdition> {
  return editTiers(deps, actor, {
    version,
    reason,
    documentsAfter(newest) {
      const problems = shadowProblems(rateLimits)
      if (problems.length === 0) return newest
      throw new AppError('tier.invalid', problems[0]?.message ?? 'The limits are not valid.', { errors: problems })
    },
    shadowAfter: (shadow) => ({
      ...shadow,
      [tier]: { id: deps.newId(), since: deps.now().toISOString(), rateLimits: Value.Parse(RateLimits, rateLimits) },
    }),
    fieldOf: (field) => `/rateLimits${field}`,
  })
}
