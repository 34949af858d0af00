import type { PaidTier } from '@tapeline/contracts/config/plans'
import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'
import type { SubscriptionRow, Tables, TrialEndReason, TrialTable } from '../tables.ts'
import { LAST_NOTICE, NOTICE_DAYS } from './trial-notices.ts'

const DAY_MS = 86_400_000

type Trx = Transaction<Tables>

export async function listTriedTiers(db: Kysely<Tables>, accountId: string): Promise<PaidTier[]> {
  const rows = await db.selectFrom('trial').select('tier').where('account_id', '=', accountId).execute()
  return rows.map(({ tier }) => tier)
}

/** False when the account has already had a trial of this tier. */
export async function insertTrial(trx: Trx, row: Insertable<TrialTable>): Promise<boolean> {
  const inserted = await trx
    .insertInto('trial')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('tier')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function markTrialEnded(
  trx: Trx,
  accountId: string,
  { endedAt, because }: { endedAt: Date; because: TrialEndReason },
): Promise<void> {
  await trx
    .updateTable('trial')
    .set({ ended_at: endedAt, end_reason: because })
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .execute()
}

/** No owner in the condition: trials of all accounts that are over. Locked rows are left for the next run. */
export function lockOverdueTrials(trx: Trx, now: Date, limit: number): Promise<SubscriptionRow[]> {
  return trx
    .selectFrom('subscription')
    .selectAll()
    .where('trial_ends_at', '<=', now)
    .orderBy('trial_ends_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
}

/** No owner in the condition: trials of all accounts whose next notice is due. */
export function lockTrialsToNotify(trx: Trx, now: Date, limit: number): Promise<SubscriptionRow[]> {
  const [first, last] = NOTICE_DAYS
  return trx
    .selectFrom('subscription')
    .selectAll()
    .where('trial_ends_at', '>', now)
    .where('trial_ends_at', '<=', inDays(now, first))
    .where(
      'trial_notice',
      '<',
      sql<number>`case when trial_ends_at <= ${inDays(now, last)} then ${LAST_NOTICE}::int else 1 end`,
    )
    .orderBy('trial_ends_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
}

/** No new version: gateways do not use it. The caller has locked the row. */
export async function markNoticeSent(trx: Trx, accountId: string, notice: number): Promise<void> {
  await trx.updateTable('subscription').set({ trial_notice: notice }).where('account_id', '=', accountId).execute()
}

function inDays(now: Date, days: number): Date {
  return new Date(now.getTime() + days * DAY_MS)
}
