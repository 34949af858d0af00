import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import type { SubscriptionRow, Tables } from '../tables.ts'
import { endTrial, WITHOUT_TRIAL } from './end-trial.ts'
import { recordChange } from './record-change.ts'

const CLOCK = { kind: 'service', service: 'config' } as const

/** Records the end of a trial whose time is over; gateways apply the end themselves. */
export async function settleTrial(
  deps: Pick<Deps, 'now' | 'newId'>,
  trx: Transaction<Tables>,
  before: SubscriptionRow,
): Promise<SubscriptionRow> {
  if (before.trial_ends_at === null || before.trial_ends_at > deps.now()) return before
  const tier = before.tier_after_trial ?? 'free'
  await endTrial(deps, trx, CLOCK, { before, because: 'over', tierAfter: tier })
  return recordChange(deps, trx, CLOCK, { before, fields: { tier, ...WITHOUT_TRIAL }, reason: null })
}
