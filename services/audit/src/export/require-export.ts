import type { UserActor } from '@tapeline/contracts/actor'
import type { Feature } from '@tapeline/contracts/config/tiers'
import { AppError } from '@tapeline/service/app-error'

const FEATURE: Feature = 'dataExport'

/** Throws unless the actor's tier includes taking data out. */
export function requireExport({ features, tier }: UserActor): void {
  if (features.includes(FEATURE)) return
  throw new AppError(
    'tier.feature_not_included',
    `Data export is not part of the ${tier} tier: it comes with the basic tier.`,
  )
}
