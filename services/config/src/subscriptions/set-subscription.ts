import { type Actor, Tier, TIERS } from '@tapeline/contracts/actor'
import type { SubscriptionRecord } from '@tapeline/contracts/config/http'
import { TierLimits } from '@tapeline/contracts/config/tiers'
import { AppError } from '@tapeline/service/app-error'
import { type Static, Type } from 'typebox'
import { isDeepStrictEqual } from 'node:util'
import type { Deps } from '../deps.ts'
import { tierToInvoice } from '../invoices/tier-to-invoice.ts'
import type { SubscriptionRow } from '../tables.ts'
import { endTrial, WITHOUT_TRIAL } from './end-trial.ts'
import { lockOrInsert } from './lock-or-insert.ts'
import { presentSubscription } from './present-subscription.ts'
import { recordChange } from './record-change.ts'
import { publishVersion } from './publish-version.ts'

/**
 * Absent fields keep their value, except that a lower tier removes custom limits. These need not increase with the
 * window, so that a test can set a single one.
 */
export const SetSubscription = Type.Object(
  {
    account_id: Type.String({ format: 'uuid' }),
    tier: Type.Optional(Tier),
    rate_limits: Type.Optional(Type.Union([TierLimits, Type.Null()])),
    /** The version that was read; 409 when it has changed. */
    version: Type.Optional(Type.Integer()),
    reason: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)
export type SetSubscription = Static<typeof SetSubscription>

export type SubscriptionAnswer = SubscriptionRecord & { effective_within_seconds?: number }

type Changer = Pick<Deps, 'db' | 'now' | 'newId' | 'raiseVersion'>

/** Changes an account's tier or custom limits, effective on the next request at every gateway; counters stay. */
export async function setSubscription(
  deps: Changer,
  actor: Actor,
  input: SetSubscription,
): Promise<SubscriptionAnswer> {
  const row = await change(deps, actor, input)
  return { ...presentSubscription(row), ...(await publishVersion(deps, row)) }
}

function change(deps: Changer, actor: Actor, input: SetSubscription): Promise<SubscriptionRow> {
  return deps.db.transaction().execute(async (trx) => {
    const before = await lockOrInsert(trx, input.account_id, deps.now())
    if (input.version !== undefined && input.version !== before.version) throw changedMeanwhile(before)
    const fields = {
      tier: input.tier ?? before.tier,
      rate_limits: input.rate_limits === undefined ? keptLimits(before, input) : input.rate_limits,
      // A tier set by an admin is permanent, even if it was a trial before.
      ...(input.tier === undefined ? {} : WITHOUT_TRIAL),
    }
    if (isDeepStrictEqual({ ...before, ...fields, trial_notice: before.trial_notice }, before)) return before
    if (input.tier !== undefined) {
      await endTrial(deps, trx, actor, { before, because: 'replaced', tierAfter: fields.tier })
    }
    return recordChange(deps, trx, actor, { before, fields, reason: input.reason ?? null })
  })
}

/** Custom limits belong to the plan for which they were agreed: an account that pays less must not keep them. */
function keptLimits(before: SubscriptionRow, { tier }: SetSubscription): TierLimits | null {
  const isLower = tier !== undefined && TIERS.indexOf(tier) < TIERS.indexOf(tierToInvoice(before))
  return isLower ? null : before.rate_limits
}

function changedMeanwhile({ version, tier, rate_limits, trial_ends_at }: SubscriptionRow): AppError {
  const trial = trial_ends_at === null ? 'no trial' : `a trial until ${trial_ends_at.toISOString()}`
  return new AppError('subscription.changed_meanwhile', 'This subscription was changed in the meantime.', {
    errors: [
      { field: '/version', message: `version is now ${version}` },
      { field: '/tier', message: `tier is now ${tier}, with ${trial}` },
      { field: '/rateLimits', message: `rateLimits is now ${JSON.stringify(rate_limits)}` },
    ],
  })
}
