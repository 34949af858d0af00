import { TIERS } from '../actor.ts'
import { type FieldProblem, fieldProblemsOf } from '../field-problems.ts'
import { limitsOutOfOrder } from './limit-order.ts'
import { type RateLimits, TierConfig, type TierDocument } from './tiers.ts'

const MONTHS = 12
/** A stated discount is a whole number, so it may differ from the computed one by this much. */
const ROUNDING_PERCENT = 1

export type CheckedTiers = { tiers: TierConfig; problems: [] } | { tiers: undefined; problems: FieldProblem[] }

/**
 * Validates tier documents. Config calls it before storing them, gateways before applying them.
 * @returns the documents, or every problem found
 */
export function checkTiers(value: unknown): CheckedTiers {
  const wrong = fieldProblemsOf(TierConfig, value)
  if (wrong.length > 0) return { tiers: undefined, problems: wrong }
  // `fieldProblemsOf` has just validated the shape.
  const tiers = value as TierConfig
  const problems = [...unreadable(tiers, ''), ...TIERS.flatMap((tier) => problemsOf(tiers[tier], `/${tier}`))]
  const { currency } = tiers.free.billing
  for (const tier of TIERS) {
    if (tiers[tier].billing.currency === currency) continue
    problems.push({
      field: `/${tier}/billing/currency`,
      message: `currency must be ${currency}, as in the other tiers`,
    })
  }
  return problems.length > 0 ? { tiers: undefined, problems } : { tiers, problems: [] }
}

/** Rejects control characters and lone surrogates, which pages cannot show and PostgreSQL cannot store. */
function unreadable(value: unknown, path: string): FieldProblem[] {
  if (typeof value === 'string') {
    const isReadable = value.isWellFormed() && !/\p{Cc}/u.test(value)
    return isReadable ? [] : [{ field: path, message: 'contains characters that are not valid text' }]
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

/** The stated yearly discount must match the two prices. */
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
  const message = `yearlyDiscount does not match the prices: ${Math.round(saved)} percent`
  return [{ field: `${path}/yearlyDiscount`, message }]
}
