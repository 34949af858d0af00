import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { lockOrInsert } from './lock-or-insert.ts'
import type { Tables } from '../tables.ts'
import { setInvoicing } from '../invoices/invoice-queries.ts'
import { nextMonthStart } from '../invoices/next-month-start.ts'
import { tierToInvoice } from '../invoices/tier-to-invoice.ts'

/**
 * Invoices an account again from the first month that begins after its return. Idempotent: a second run finds the
 * account active.
 */
export async function resumeInvoices(
  deps: Pick<Deps, 'now'>,
  trx: Transaction<Tables>,
  accountId: string,
  activeSince: Date,
): Promise<void> {
  const row = await lockOrInsert(trx, accountId, deps.now())
  if (row.invoices_held_at === null) return
  const next = tierToInvoice(row) === 'free' ? null : nextMonthStart(row.anchor, activeSince)
  await setInvoicing(trx, accountId, { invoices_held_at: null, next_invoice_at: next })
}
