import type { UserActor } from '@tapeline/contracts/actor'
import type { ReportList } from '@tapeline/contracts/audit/reports'
import type { Feature } from '@tapeline/contracts/config/tiers'
import { AppError } from '@tapeline/service/app-error'
import { firstTierWith, includedIn } from '@tapeline/service/settings/included-in'
import type { Deps } from '../deps.ts'

export const REPORTS_FEATURE: Feature = 'customReports'

/** @throws AppError when the actor's tier does not include custom reports */
export function requireReports({ settings }: Pick<Deps, 'settings'>, { features }: UserActor): void {
  if (features.includes(REPORTS_FEATURE)) return
  throw new AppError(
    'tier.feature_not_included',
    `Custom reports are not part of your plan. ${includedIn(settings, REPORTS_FEATURE)}`,
  )
}

/** The first tier with custom reports, for an actor whose tier does not include them; otherwise null. */
export function lockOf({ settings }: Pick<Deps, 'settings'>, { features }: UserActor): ReportList['locked'] {
  if (features.includes(REPORTS_FEATURE)) return null
  return { feature: REPORTS_FEATURE, tier: firstTierWith(settings, REPORTS_FEATURE) ?? 'pro' }
}

export function noSuchReport(): AppError {
  return new AppError('report.not_found', 'There is no such report.')
}
