import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { lockOrInsert } from './lock-or-insert.ts'
import type { Tables } from '../tables.ts'
import { setInvoicing } from '../invoices/invoice-queries.ts'
import { issueDueMonths } from '../invoices/issue-due-months.ts'

/**
 * Stops invoicing an account that became inactive. Months that began before are invoiced first. Idempotent: a second
 * run finds the account held.
 */
export async function holdInvoices(
  deps: Pick<Deps, 'now' | 'newId'>,
  trx: Transaction<Tables>,
  accountId: string,
  inactiveSince: Date,
): Promise<void> {
  const row = await lockOrInsert(trx, accountId, deps.now())
  if (row.invoices_held_at !== null) return
  await issueDueMonths(deps, trx, row, inactiveSince)
  await setInvoicing(trx, accountId, { invoices_held_at: inactiveSince, next_invoice_at: null })
}
