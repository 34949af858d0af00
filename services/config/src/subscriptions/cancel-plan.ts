import type { UserActor } from '@tapeline/contracts/actor'
import type { Plan } from '@tapeline/contracts/config/plans'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import type { SubscriptionRow } from '../tables.ts'
import { endTrial, WITHOUT_TRIAL } from './end-trial.ts'
import { lockOrInsert } from './lock-or-insert.ts'
import { readPlan } from './read-plan.ts'
import { recordChange, type SubscriptionChange } from './record-change.ts'
import { settleTrial } from './settle-trial.ts'
import { tellGateways } from './tell-gateways.ts'

/** Ends a trial at once; without one, the paid plan with the limits that came with it. */
export async function cancelPlan(deps: Deps, actor: UserActor): Promise<Plan> {
  const row = await deps.db.transaction().execute(async (trx) => {
    const before = await settleTrial(deps, trx, await lockOrInsert(trx, actor.userId, deps.now()))
    const fields = fieldsAfter(before)
    await endTrial(deps, trx, actor, { before, because: 'cancelled', tierAfter: fields.tier ?? 'free' })
    return recordChange(deps, trx, actor, { before, fields, reason: null })
  })
  return { ...(await readPlan(deps, actor)), ...(await tellGateways(deps, row)) }
}

function fieldsAfter({ tier, trial_ends_at, tier_after_trial }: SubscriptionRow): SubscriptionChange['fields'] {
  if (trial_ends_at !== null) return { tier: tier_after_trial ?? 'free', ...WITHOUT_TRIAL }
  if (tier !== 'free') return { tier: 'free', rate_limits: null }
  throw new AppError('subscription.nothing_to_cancel', 'The free tier has nothing to cancel.')
}
