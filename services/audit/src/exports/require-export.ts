import type { UserActor } from '@tapeline/contracts/actor'
import type { Feature } from '@tapeline/contracts/config/tiers'
import { AppError } from '@tapeline/service/app-error'
import { includedIn } from '@tapeline/service/settings/included-in'
import type { Deps } from '../deps.ts'

const FEATURE: Feature = 'dataExport'

/** @throws AppError when the actor's tier does not include exports */
export function requireExport({ settings }: Pick<Deps, 'settings'>, { features }: UserActor): void {
  if (features.includes(FEATURE)) return
  throw new AppError(
    'tier.feature_not_included',
    `Data export is not part of your plan. ${includedIn(settings, FEATURE)}`,
  )
}
