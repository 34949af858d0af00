import type { UserActor } from '@tapeline/contracts/actor'
import type { InvoiceQuery } from '@tapeline/contracts/audit/statements'
import type { Deps } from '../deps.ts'
import { invoiceLines } from './invoice-lines.ts'
import { showStatement } from './show-statement.ts'

/** The closed days of the caller's statement as lines that a billing system imports: one JSON object per line. */
export async function exportInvoice(
  deps: Pick<Deps, 'db' | 'now' | 'signer'>,
  actor: UserActor,
  month: string,
  { system, customer = actor.userId }: InvoiceQuery,
): Promise<{ name: string; body: string }> {
  const { statement } = await showStatement(deps, actor, month)
  const lines = invoiceLines(statement, system, customer)
  return {
    name: `tapeline-usage-${month}-${system}.jsonl`,
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  }
}
