import type { Deps } from '../deps.ts'
import { lockPlansToInvoice } from './invoice-queries.ts'
import { issueDueMonths } from './issue-due-months.ts'

const BATCH = 100

/**
 * Job. Invoices every paid plan for the months that have begun, once each. Payment services consume the events; missed
 * months are invoiced later.
 */
export async function issueInvoices(deps: Pick<Deps, 'db' | 'now' | 'newId'>): Promise<number> {
  let total = 0
  for (;;) {
    const issued = await deps.db.transaction().execute(async (trx) => {
      const rows = await lockPlansToInvoice(trx, deps.now(), BATCH)
      for (const row of rows) await issueDueMonths(deps, trx, row, deps.now())
      return rows.length
    })
    total += issued
    if (issued === 0) return total
  }
}
