import type { UserActor } from '@tapeline/contracts/actor'
import type { Feature } from '@tapeline/contracts/config/tiers'
import { AppError } from '@tapeline/service/app-error'
import { includedIn } from '@tapeline/service/settings/included-in'
import type { Deps } from '../deps.ts'

const FEATURE: Feature = 'dataExport'

/** Throws unless the actor's tier includes downloads. */
export function requireDataExport({ settings }: Pick<Deps, 'settings'>, { features }: UserActor): void {
  if (features.includes(FEATURE)) return
  const message = `Files are not part of your plan. ${includedIn(settings, FEATURE)}`
  throw new AppError('tier.feature_not_included', message)
}
