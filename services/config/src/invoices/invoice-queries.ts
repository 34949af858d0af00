import type { Insertable, Transaction } from 'kysely'
import type { InvoiceTable, SubscriptionRow, Tables } from '../tables.ts'

type Trx = Transaction<Tables>

/**
 * No owner in the condition: the paid plan, of all accounts but those that failed, whose next month began first. Locked
 * rows are left for the next run.
 */
export function lockPlanToInvoice(
  trx: Trx,
  now: Date,
  failed: readonly string[],
): Promise<SubscriptionRow | undefined> {
  return trx
    .selectFrom('subscription')
    .selectAll()
    .where('next_invoice_at', '<=', now)
    .$if(failed.length > 0, (query) => query.where('account_id', 'not in', failed))
    .orderBy('next_invoice_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/** False when that month already has an invoice. */
export async function insertInvoice(trx: Trx, row: Insertable<InvoiceTable>): Promise<boolean> {
  const inserted = await trx
    .insertInto('invoice')
    .values(row)
    .onConflict((conflict) => conflict.constraint('invoice_account_period').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** No new version: gateways do not use these columns. The caller has locked the row. */
export async function setInvoicing(
  trx: Trx,
  accountId: string,
  columns: Partial<Pick<SubscriptionRow, 'next_invoice_at' | 'invoices_held_at'>>,
): Promise<void> {
  await trx.updateTable('subscription').set(columns).where('account_id', '=', accountId).execute()
}
