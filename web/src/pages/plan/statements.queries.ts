import type { SignedStatement, StatementList } from '@tapeline/contracts/audit/statements'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../platform.ts'

const STATEMENTS = '/api/v1/internal/statements'
const INDENT = 2

export const statementsQuery = queryOptions({
  queryKey: ['statements'],
  queryFn: ({ signal }) => api.data<StatementList>({ path: STATEMENTS, signal }),
})

/** The signed statement as the command that verifies it reads it. */
export async function fetchStatement(month: string): Promise<{ name: string; file: Blob }> {
  const statement = await api.data<SignedStatement>({ path: `${STATEMENTS}/${month}` })
  const file = new Blob([`${JSON.stringify(statement, null, INDENT)}\n`], { type: 'application/json' })
  return { name: `tapeline-statement-${month}.json`, file }
}

/** Lines per meter and day in the shape of a billing system. */
export async function fetchInvoice(month: string, system: string): Promise<{ name: string; file: Blob }> {
  const response = await api.open({ path: `${STATEMENTS}/${month}/invoice`, query: { system } })
  return { name: `tapeline-usage-${month}-${system}.jsonl`, file: await response.blob() }
}
