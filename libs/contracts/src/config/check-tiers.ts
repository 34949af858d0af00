import { TIERS } from '../actor.ts'
import { type FieldProblem, fieldProblemsOf } from '../field-problems.ts'
import { limitsOutOfOrder } from './limit-order.ts'
import { type RateLimits, TierConfig, type TierDocument } from './tiers.ts'

const MONTHS = 12
/** A stated discount is a whole number: it may differ by that much from what the two prices say. */
const ROUNDING_PERCENT = 1

export type CheckedTiers = { tiers: TierConfig; problems: [] } | { tiers: undefined; problems: FieldProblem[] }

/** Tier documents that may hold, or everything that is wrong with them. Config asks before it stores, gateways before they apply. */
export function checkTiers(value: unknown): CheckedTiers {
  const wrong = fieldProblemsOf(TierConfig, value)
  if (wrong.length > 0) return { tiers: undefined, problems: wrong }
  // Nothing is wrong with its shape: the schema has just said so.
  const tiers = value as TierConfig
  const problems = [...unreadable(tiers, ''), ...TIERS.flatMap((tier) => problemsOf(tiers[tier], `/${tier}`))]
  const { currency } = tiers.free.billing
  for (const tier of TIERS) {
    if (tiers[tier].billing.currency === currency) continue
    problems.push({ field: `/${tier}/billing/currency`, message: `currency is not ${currency}, as in the other tiers` })
  }
  return problems.length > 0 ? { tiers: undefined, problems } : { tiers, problems: [] }
}

/** Text that no page shows and no database keeps: control characters, halves of characters. */
function unreadable(value: unknown, path: string): FieldProblem[] {
  if (typeof value === 'string') {
    const isReadable = value.isWellFormed() && !/\p{Cc}/u.test(value)
    return isReadable ? [] : [{ field: path, message: 'has characters that are no text' }]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => unreadable(inner, `${path}/${name}`))
}

function problemsOf({ rateLimits, billing }: TierDocument, path: string): FieldProblem[] {
  return [...unreachable(rateLimits, `${path}/rateLimits`), ...mispriced(billing, `${path}/billing`)]
}

/** A limit above that of a longer window can never be reached. */
function unreachable(limits: RateLimits, path: string): FieldProblem[] {
  return limitsOutOfOrder(limits).map(({ limit, longer }) => {
    const message = `${limit} is above ${longer}, so it can never be reached`
    return { field: `${path}/${limit}`, message, rule: 'limitOrder', limit: longer }
  })
}

/** What a year saves is what the two prices say. */
function mispriced(
  { monthlyPrice, yearlyPrice, yearlyDiscount }: TierDocument['billing'],
  path: string,
): FieldProblem[] {
  const ofMonths = monthlyPrice * MONTHS
  if (yearlyPrice > ofMonths) {
    return [{ field: `${path}/yearlyPrice`, message: `yearlyPrice is above ${MONTHS} times monthlyPrice` }]
  }
  const saved = ofMonths === 0 ? 0 : (1 - yearlyPrice / ofMonths) * 100
  if (yearlyDiscount === undefined || Math.abs(yearlyDiscount - saved) <= ROUNDING_PERCENT) return []
  const message = `yearlyDiscount is not what the prices say: ${Math.round(saved)} percent`
  return [{ field: `${path}/yearlyDiscount`, message }]
}
