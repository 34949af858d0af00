import { t } from '@lingui/core/macro'
import type { Tier } from '@tapeline/contracts/actor'
import type { UsageForecast } from '@tapeline/contracts/audit/forecast'
import { formatDayOfMonth } from '../../../format/date.ts'
import { formatCount } from '../../../format/number.ts'
import { TIER_NAMES } from '../tier-names.ts'

/** When the month's limit is used up; undefined: not within the range. */
export function usedUpWords({ used_up: usedUp, used, limit }: UsageForecast): string | undefined {
  if (usedUp === null) return undefined
  if (used >= limit) return t`This month’s limit is used up.`
  const earliest = formatDayOfMonth(usedUp.earliest)
  if (usedUp.likely === null)
    return t`The limit may be used up from ${earliest}, but likely lasts until the month ends.`
  const likely = formatDayOfMonth(usedUp.likely)
  if (usedUp.latest === null) {
    return t`The limit is likely used up on ${likely}: on ${earliest} at the earliest, or not this month.`
  }
  const latest = formatDayOfMonth(usedUp.latest)
  return earliest === latest
    ? t`The limit is used up on ${likely}.`
    : t`The limit is likely used up on ${likely}, between ${earliest} and ${latest}.`
}

/** The end of the month, when the limit lasts. */
export function rangeWords({ end, limit, month }: UsageForecast): string {
  if (end === null) return ''
  const until = formatDayOfMonth(month.to)
  const toSpare = formatCount(limit - end.likely)
  return t`Likely ${formatCount(end.likely)} by ${until}, ${toSpare} to spare. Range: ${formatCount(end.low)} to ${formatCount(end.high)}.`
}

/** Which plan fits, compared with the account's own. */
export function fitWords({ fitting, end, plans }: UsageForecast, own: Tier): string {
  if (fitting === null) {
    return end === null
      ? t`After enough days, this page recommends a plan.`
      : t`No plan covers this usage. Contact support for custom limits.`
  }
  if (fitting === own) return t`${TIER_NAMES[own]}, your plan, is the smallest that fits this usage.`
  const isOwnEnough = plans.find(({ tier }) => tier === own)?.verdict === 'fits'
  return isOwnEnough
    ? t`${TIER_NAMES[fitting]} would fit this usage too.`
    : t`${TIER_NAMES[fitting]} is the smallest plan that fits this usage.`
}
