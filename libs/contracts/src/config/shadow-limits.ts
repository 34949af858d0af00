import { type Static, Type } from 'typebox'
import { type FieldProblem, fieldProblemsOf } from '../field-problems.ts'
import { limitsOutOfOrder } from './limit-order.ts'
import { Reason } from './flags.ts'
import { RateLimits } from './tiers.ts'
import { Version } from './version.ts'

const closed = { additionalProperties: false }

/** Limits that gateways evaluate and record in addition to a tier's own, and never enforce. */
export const ShadowLimits = Type.Object({
  /** Id of the proposal. Different limits are a new proposal, whose windows begin empty. */
  id: Type.String({ format: 'uuid' }),
  /** When it was proposed, RFC 3339. */
  since: Type.String(),
  rateLimits: RateLimits,
})
export type ShadowLimits = Static<typeof ShadowLimits>

/** Tiers with shadow limits. */
export const ShadowConfig = Type.Object({
  free: Type.Optional(ShadowLimits),
  basic: Type.Optional(ShadowLimits),
  pro: Type.Optional(ShadowLimits),
})
export type ShadowConfig = Static<typeof ShadowConfig>

const reason = { reason: Type.Optional(Reason) }

/** `PUT /api/v1/admin/tiers/{tier}/shadow`. The verb validates the limits and reports every invalid field. */
export const ProposeLimits = Type.Object({ rateLimits: Type.Unknown(), version: Version, ...reason }, closed)
export type ProposeLimits = Static<typeof ProposeLimits>

/** `DELETE /api/v1/admin/tiers/{tier}/shadow` and `POST …/shadow/enforce`. */
export const SettleProposal = Type.Object({ version: Version, ...reason }, closed)
export type SettleProposal = Static<typeof SettleProposal>

/** Validates proposed limits like those of a tier. */
export function shadowProblems(value: unknown): FieldProblem[] {
  const wrong = fieldProblemsOf(RateLimits, value)
  if (wrong.length > 0) return wrong
  // `fieldProblemsOf` has just validated the shape.
  return limitsOutOfOrder(value as RateLimits).map(({ limit, longer }) => {
    const message = `${limit} is above ${longer}, so it can never be reached`
    return { field: `/${limit}`, message, rule: 'limitOrder', limit: longer }
  })
}
