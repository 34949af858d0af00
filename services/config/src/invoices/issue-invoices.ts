import type { Deps } from '../deps.ts'
import { lockPlanToInvoice } from './invoice-queries.ts'
import { issueDueMonths } from './issue-due-months.ts'

/** A run ends after this many accounts that could not be invoiced: the cause is then probably not in the accounts. */
const FAILURES_MAX = 100

type Issuer = Pick<Deps, 'db' | 'now' | 'newId'>

/**
 * Job. Invoices every paid plan for the months that have begun, once each. Payment services consume the events; missed
 * months are invoiced later.
 * @throws AggregateError with the failures, after all other accounts
 */
export async function issueInvoices(deps: Issuer): Promise<number> {
  const failures = new Map<string, unknown>()
  let total = 0
  while (await issueNext(deps, failures)) total += 1
  if (failures.size === 0) return total
  const accounts = [...failures.keys()].join(', ')
  throw new AggregateError(failures.values(), `not invoiced: ${accounts}`)
}

/** One account in a transaction of its own. False: none is left, or too many failed. */
async function issueNext(deps: Issuer, failures: Map<string, unknown>): Promise<boolean> {
  let accountId: string | undefined
  try {
    await deps.db.transaction().execute(async (trx) => {
      const row = await lockPlanToInvoice(trx, deps.now(), [...failures.keys()])
      accountId = row?.account_id
      if (row !== undefined) await issueDueMonths(deps, trx, row, deps.now())
    })
    return accountId !== undefined
  } catch (error) {
    if (accountId === undefined) throw error
    failures.set(accountId, error)
    return failures.size < FAILURES_MAX
  }
}
