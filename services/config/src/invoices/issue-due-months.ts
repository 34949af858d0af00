import { invoiceIssued } from '@tapeline/contracts/config/events'
import type { TierConfig } from '@tapeline/contracts/config/tiers'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { readTiers } from '../tiers/read-tiers.ts'
import type { SubscriptionRow, Tables } from '../tables.ts'
import { insertInvoice, setInvoicing } from './invoice-queries.ts'
import { nextMonthStart } from './next-month-start.ts'
import { tierToInvoice } from './tier-to-invoice.ts'

const CLOCK = { kind: 'service', service: 'config' } as const

type Clock = Pick<Deps, 'now' | 'newId'>
type Month = { from: Date; to: Date }

/** Invoices the months of a locked subscription that have begun by a time: invoice and event are one transaction. */
export async function issueDueMonths(
  deps: Clock,
  trx: Transaction<Tables>,
  row: SubscriptionRow,
  until: Date,
): Promise<SubscriptionRow> {
  let from = row.next_invoice_at
  if (from === null || from > until) return row
  const { tiers } = await readTiers({ db: trx })
  while (from <= until) {
    const to = nextMonthStart(row.anchor, from)
    await issue(deps, trx, row, { month: { from, to }, tiers })
    from = to
  }
  await setInvoicing(trx, row.account_id, { next_invoice_at: from })
  return { ...row, next_invoice_at: from }
}

async function issue(
  deps: Clock,
  trx: Transaction<Tables>,
  row: SubscriptionRow,
  { month: { from, to }, tiers }: { month: Month; tiers: TierConfig },
): Promise<void> {
  const { account_id: accountId } = row
  const tier = tierToInvoice(row)
  const { monthlyPrice, currency } = tiers[tier].billing
  const amount = monthlyPrice.toFixed(2)
  if (tier === 'free' || Number(amount) === 0) return
  const now = deps.now()
  const id = deps.newId()
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
