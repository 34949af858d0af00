import type { Tier } from '@tapeline/contracts/actor'
import type { TierConfig } from '@tapeline/contracts/config/tiers'
import { LIMIT_FIELDS } from '../limit-fields.ts'
import { type TierEdits, withEdit } from './tier-edits.ts'

const LIMITS = 'limits'

/** The URL of the tier's form with these limits entered, to be reviewed and saved there. */
export function proposalSearch(tier: Tier, limits: Readonly<Record<string, number | string>>): Record<string, string> {
  const entered = Object.entries(limits).map(([field, limit]) => `${field}:${limit}`)
  return { tab: 'tiers', tier, [LIMITS]: entered.join(' ') }
}

/** Limits that a URL proposes for a tier, without invalid or unchanged ones. */
export function proposedEdits(search: URLSearchParams, tiers: TierConfig): TierEdits {
  const tier = search.get('tier') ?? ''
  const entered = new Map((search.get(LIMITS) ?? '').split(' ').map((pair) => [pair.split(':')[0], pair.split(':')[1]]))
  if (!Object.hasOwn(tiers, tier)) return {}
  return LIMIT_FIELDS.reduce<TierEdits>((edits, { field }) => {
    const typed = entered.get(field)
    if (typed === undefined || typed === '') return edits
    return withEdit(edits, tiers, { pointer: `/${tier}/rateLimits/${field}`, kind: 'number', typed })
  }, {})
}
