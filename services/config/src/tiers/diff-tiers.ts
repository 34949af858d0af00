import { TIERS } from '@tapeline/contracts/actor'
import type { ConfigDifference } from '@tapeline/contracts/config/global-configs'
import { diffJson } from '../diff-json.ts'
import type { TierDocumentRow } from './tier-queries.ts'

type Documents = Pick<TierDocumentRow, 'config' | 'shadow'>

/** Differences between two versions of the tier documents; shadow limits are part of their tier's document: `/basic/shadow`. */
export function diffTiers(before: Documents | undefined, after: Documents): ConfigDifference[] {
  return diffJson(before && withShadow(before), withShadow(after))
}

function withShadow({ config, shadow }: Documents): unknown {
  const tiers = TIERS.map((tier) => {
    const proposed = shadow[tier]
    return [tier, proposed === undefined ? config[tier] : { ...config[tier], shadow: proposed }]
  })
  return { ...config, ...Object.fromEntries(tiers) }
}
