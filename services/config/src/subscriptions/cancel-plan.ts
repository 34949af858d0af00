import { planName, type UserActor } from '@tapeline/contracts/actor'
import type { CancelPlan, Plan } from '@tapeline/contracts/config/plans'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import type { SubscriptionRow } from '../tables.ts'
import { endTrial, WITHOUT_TRIAL } from './end-trial.ts'
import { lockOrInsert } from './lock-or-insert.ts'
import { readPlan } from './read-plan.ts'
import { recordChange, type SubscriptionChange } from './record-change.ts'
import { settleTrial } from './settle-trial.ts'
import { publishVersion } from './publish-version.ts'

/**
 * Ends a trial, or the paid plan with its custom limits, immediately. The caller names the plan, so a repeated or
 * late call cannot cancel another one.
 * @throws AppError when the account's plan has changed in the meantime
 */
export async function cancelPlan(deps: Deps, actor: UserActor, request: CancelPlan): Promise<Plan> {
  const row = await deps.db.transaction().execute(async (trx) => {
    const before = await settleTrial(deps, trx, await lockOrInsert(trx, actor.userId, deps.now()))
    checkVersion(before, request)
    const fields = fieldsAfter(before)
    await endTrial(deps, trx, actor, { before, because: 'cancelled', tierAfter: fields.tier ?? 'free' })
    return recordChange(deps, trx, actor, { before, fields, reason: null })
  })
  return { ...(await readPlan(deps, actor)), ...(await publishVersion(deps, row)) }
}

function checkVersion(row: SubscriptionRow, request: CancelPlan): void {
  const isTrial = row.trial_ends_at !== null
  if (!isTrial && row.tier === 'free') {
    throw new AppError('subscription.nothing_to_cancel', 'The Free plan cannot be cancelled.')
  }
  const field = isTrial === (request.what === 'trial') ? '/version' : '/what'
  if (field === '/version' && (request.version ?? row.version) === row.version) return
  throw new AppError(
    'subscription.changed_meanwhile',
    'Your plan was changed in the meantime; nothing was cancelled.',
    {
      errors: [{ field, message: wordsFor(row) }],
    },
  )
}

function wordsFor({ tier, trial_ends_at }: SubscriptionRow): string {
  return trial_ends_at === null
    ? `No trial is active. You are on the ${planName(tier)} plan.`
    : `A trial of the ${planName(tier)} plan runs until ${trial_ends_at.toISOString()}.`
}

function fieldsAfter({ trial_ends_at, tier_after_trial }: SubscriptionRow): SubscriptionChange['fields'] {
  if (trial_ends_at !== null) return { tier: tier_after_trial ?? 'free', ...WITHOUT_TRIAL }
  return { tier: 'free', rate_limits: null }
}
