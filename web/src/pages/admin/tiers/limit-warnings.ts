import { t } from '@lingui/core/macro'
import { TIERS } from '@tapeline/contracts/actor'
import { limitsOutOfOrder } from '@tapeline/contracts/config/limit-order'
import type { RateLimits, TierConfig } from '@tapeline/contracts/config/tiers'
import { formatCount } from '../../../format/number.ts'
import { i18n } from '../../../language/i18n.ts'
import { LIMIT_FIELDS, type LimitField } from '../limit-fields.ts'
import { shownIn, type TierEdits } from './tier-edits.ts'

/** Limits as typed that can never be reached, by the pointer of their field. */
export function limitWarnings(tiers: TierConfig, edits: TierEdits): Readonly<Record<string, string>> {
  return Object.fromEntries(
    TIERS.flatMap((tier) => {
      const typed = (field: LimitField): number =>
        Number(shownIn(edits, tiers, { pointer: `/${tier}/rateLimits/${field}`, kind: 'number' }))
      const limits: RateLimits = {
        burstLimit: typed('burstLimit'),
        requestsPerMinute: typed('requestsPerMinute'),
        requestsPerHour: typed('requestsPerHour'),
        requestsPerDay: typed('requestsPerDay'),
        requestsPerMonth: typed('requestsPerMonth'),
        concurrentRequests: typed('concurrentRequests'),
      }
      return limitsOutOfOrder(limits).flatMap(({ limit, longer }) => {
        if (Number.isNaN(limits[limit]) || Number.isNaN(limits[longer])) return []
        const warning = t`Never reached: “${labelOf(longer)}” allows only ${formatCount(limits[longer])}.`
        return [[`/${tier}/rateLimits/${limit}`, warning]]
      })
    }),
  )
}

function labelOf(field: LimitField): string {
  const label = LIMIT_FIELDS.find((one) => one.field === field)?.label
  return label === undefined ? field : i18n._(label)
}
