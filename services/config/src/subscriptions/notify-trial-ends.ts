import { trialEnding } from '@tapeline/contracts/config/events'
import { type Event, newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import type { Deps } from '../deps.ts'
import type { SubscriptionRow } from '../tables.ts'
import { daysLeft, dueNotice } from './trial-notices.ts'
import { lockTrialsToNotify, markNoticeSent } from './trial-queries.ts'

const BATCH = 100
const CLOCK = { kind: 'service', service: 'config' } as const

/** Job. Publishes that a trial ends in three days and in one day, once each: mark and event are one transaction. */
export async function notifyTrialEnds(deps: Pick<Deps, 'db' | 'now' | 'newId'>): Promise<number> {
  let total = 0
  for (;;) {
    const notified = await deps.db.transaction().execute(async (trx) => {
      const rows = await lockTrialsToNotify(trx, deps.now(), BATCH)
      for (const row of rows) {
        if (row.trial_ends_at === null) continue
        await markNoticeSent(trx, row.account_id, dueNotice(row.trial_ends_at, deps.now()))
        await recordEvent(trx, noticeOf(deps, row, row.trial_ends_at))
      }
      return rows.length
    })
    total += notified
    if (notified < BATCH) return total
  }
}

function noticeOf(deps: Pick<Deps, 'now' | 'newId'>, row: SubscriptionRow, endsAt: Date): Event<unknown> {
  const { account_id: accountId, tier, tier_after_trial } = row
  const now = deps.now()
  return newEvent(trialEnding, {
    id: deps.newId(),
    time: now,
    subject: accountId,
    account: accountId,
    actor: CLOCK,
    data: {
      account_id: accountId,
      tier,
      ends_at: endsAt.toISOString(),
      tier_after: tier_after_trial ?? 'free',
      days_left: daysLeft(endsAt, now),
    },
  })
}
