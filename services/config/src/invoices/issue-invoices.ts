import { invoiceIssued } from '@tapeline/contracts/config/events'
import type { TierConfig } from '@tapeline/contracts/config/tiers'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { readTiers } from '../tiers/read-tiers.ts'
import type { SubscriptionRow, Tables } from '../tables.ts'
import { insertInvoice, lockPlansToInvoice, setNextInvoice } from './invoice-queries.ts'
import { nextMonthStart } from './next-month-start.ts'

const BATCH = 100
const CLOCK = { kind: 'service', service: 'config' } as const

type Issuer = Pick<Deps, 'db' | 'now' | 'newId'>

/**
 * Job. Invoices every paid plan for the month that has begun, once: invoice and event are one transaction. Payment
 * services consume the event; missed months are invoiced later.
 */
export async function issueInvoices(deps: Issuer): Promise<number> {
  const { tiers } = await readTiers(deps)
  let total = 0
  for (;;) {
    const issued = await deps.db.transaction().execute(async (trx) => {
      const rows = await lockPlansToInvoice(trx, deps.now(), BATCH)
      for (const row of rows) await issue(deps, trx, row, tiers)
      return rows.length
    })
    total += issued
    if (issued === 0) return total
  }
}

async function issue(deps: Issuer, trx: Transaction<Tables>, row: SubscriptionRow, tiers: TierConfig): Promise<void> {
  const { account_id: accountId, anchor, next_invoice_at: from } = row
  if (from === null) return
  const to = nextMonthStart(anchor, from)
  await setNextInvoice(trx, accountId, to)
  // A trial is free: the plan to which the account returns is invoiced.
  const tier = row.trial_ends_at === null ? row.tier : (row.tier_after_trial ?? 'free')
  const { monthlyPrice, currency } = tiers[tier].billing
  if (tier === 'free' || monthlyPrice === 0) return
  const now = deps.now()
  const id = deps.newId()
  const amount = monthlyPrice.toFixed(2)
  const invoice = {
    id,
    account_id: accountId,
    tier,
    period_from: from,
    period_to: to,
    amount,
    currency,
    issued_at: now,
  }
  if (!(await insertInvoice(trx, invoice))) return
  const period = { from: from.toISOString(), to: to.toISOString() }
  const data = { invoice_id: id, account_id: accountId, tier, period, amount, currency }
  const about = { id: deps.newId(), time: now, subject: accountId, account: accountId, actor: CLOCK }
  await recordEvent(trx, newEvent(invoiceIssued, { ...about, data }))
}
