import { plural } from '@lingui/core/macro'
import { TIERS } from '@tapeline/contracts/actor'
import type { TierEdition } from '@tapeline/contracts/config/plans'
import type { ValueDifference } from '../diff-values.ts'
import { titleOf } from './TierList.tsx'

type AccountsTouchedProps = { edition: TierEdition; changes: readonly ValueDifference[] }

/** Number of accounts on the changed tiers. */
export function AccountsTouched({ edition: { tiers, accounts }, changes }: AccountsTouchedProps) {
  if (accounts === undefined) return null
  return TIERS.filter((tier) => changes.some(({ path }) => path.startsWith(`/${tier}/`))).map((tier) => {
    const name = titleOf(tier, tiers)
    const { accounts: count, with_own_limits: own } = accounts[tier]
    return (
      <li key={tier}>
        {plural(count, { one: `# account is on ${name}.`, other: `# accounts are on ${name}.` })}{' '}
        {own > 0 &&
          plural(own, { one: '# of them keeps its custom limits.', other: '# of them keep their custom limits.' })}
      </li>
    )
  })
}
