import type { Insertable, Transaction } from 'kysely'
import type { InvoiceTable, SubscriptionRow, Tables } from '../tables.ts'

type Trx = Transaction<Tables>

/**
 * No owner in the condition: paid plans of all accounts whose next month has begun. Locked rows are left for the next
 * run.
 */
export function lockPlansToInvoice(trx: Trx, now: Date, limit: number): Promise<SubscriptionRow[]> {
  return trx
    .selectFrom('subscription')
    .selectAll()
    .where('next_invoice_at', '<=', now)
    .orderBy('next_invoice_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
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
