import type { Actor } from '@tapeline/contracts/actor'
import { trialEnded } from '@tapeline/contracts/config/events'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import type { SubscriptionRow, Tables, TrialEndReason } from '../tables.ts'
import { markTrialEnded } from './trial-queries.ts'

/** Columns of a subscription without a trial. */
export const WITHOUT_TRIAL = { trial_ends_at: null, tier_after_trial: null, trial_notice: 0 } as const

export type EndingTrial = { before: SubscriptionRow; because: TrialEndReason; tierAfter: SubscriptionRow['tier'] }

/** Records and publishes the end of a trial; the caller changes the subscription in the same transaction. */
export async function endTrial(
  deps: Pick<Deps, 'now' | 'newId'>,
  trx: Transaction<Tables>,
  actor: Actor,
  { before: { account_id: accountId, tier, trial_ends_at }, because, tierAfter }: EndingTrial,
): Promise<void> {
  if (trial_ends_at === null) return
  const now = deps.now()
  await markTrialEnded(trx, accountId, { endedAt: now, because })
  await recordEvent(
    trx,
    newEvent(trialEnded, {
      id: deps.newId(),
      time: now,
      subject: accountId,
      account: accountId,
      actor,
      data: { account_id: accountId, tier, ends_at: trial_ends_at.toISOString(), tier_after: tierAfter, because },
    }),
  )
}
