import type { Tier } from '@tapeline/contracts/actor'
import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'
import type { SubscriptionRow, SubscriptionTable, Tables } from '../tables.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>

export function findSubscription(db: Db, accountId: string): Promise<SubscriptionRow | undefined> {
  return db.selectFrom('subscription').selectAll().where('account_id', '=', accountId).executeTakeFirst()
}

/** Does nothing when the account has one, so concurrent first reads are safe. */
export async function insertSubscriptionIfAbsent(db: Db, row: Insertable<SubscriptionTable>): Promise<void> {
  await db
    .insertInto('subscription')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export function lockSubscription(trx: Trx, accountId: string): Promise<SubscriptionRow> {
  return trx
    .selectFrom('subscription')
    .selectAll()
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Including the trials; invoices are kept. */
export async function deletePlanOf(trx: Trx, accountId: string): Promise<void> {
  await trx.deleteFrom('trial').where('account_id', '=', accountId).execute()
  await trx.deleteFrom('subscription').where('account_id', '=', accountId).execute()
}

/** All columns except the anchor, which never changes. */
export async function updateSubscription(
  trx: Trx,
  { account_id, anchor: _fixed, created_at: _known, rate_limits, ...changed }: SubscriptionRow,
): Promise<void> {
  await trx
    .updateTable('subscription')
    .set({ ...changed, rate_limits: rate_limits === null ? null : JSON.stringify(rate_limits) })
    .where('account_id', '=', account_id)
    .execute()
}

/** No owner in the condition: a count for admins. The tier is the effective one at `now`, as in tier-at.ts. */
export async function countAccountsByTier(
  db: Db,
  now: Date,
): Promise<{ tier: Tier; accounts: number; with_own_limits: number }[]> {
  const tier = sql<Tier>`case when trial_ends_at <= ${now} then coalesce(tier_after_trial, 'free') else tier end`
  const rows = await db
    .selectFrom((inner) =>
      inner
        .selectFrom('subscription')
        .select([tier.as('tier'), 'rate_limits'])
        .as('current'),
    )
    .select(({ fn }) => [
      'tier',
      fn.countAll<string>().as('accounts'),
      fn.count<string>('rate_limits').as('with_own_limits'),
    ])
    .groupBy('tier')
    .execute()
  return rows.map((row) => ({
    tier: row.tier,
    accounts: Number(row.accounts),
    with_own_limits: Number(row.with_own_limits),
  }))
}
