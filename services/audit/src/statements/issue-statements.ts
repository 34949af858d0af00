import type { Deps } from '../deps.ts'
import type { ArchiveDeps } from '../request-log/archive/archived-log.ts'
import { buildStatement, monthRange } from './build-statement.ts'
import { findClosing } from './closing-queries.ts'
import { insertStatement, listWithoutStatement } from './statement-queries.ts'

const PAGE_ACCOUNTS = 100
const MONTH_CHARACTERS = 'YYYY-MM'.length

type StatementDeps = Pick<Deps, 'db' | 'now' | 'signer'> & ArchiveDeps

/**
 * Job. Issues the statements of the month before, once all of its hours are closed. Each is issued once. An account that
 * fails does not keep others from their statements.
 * @throws AggregateError with the failures, after all accounts
 */
export async function issueStatements(deps: StatementDeps, pageAccounts = PAGE_ACCOUNTS): Promise<number> {
  const closing = await findClosing(deps.db)
  if (closing === undefined) return 0
  const now = deps.now()
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1))
    .toISOString()
    .slice(0, MONTH_CHARACTERS)
  const range = monthRange(month)
  if (closing.sealed_until < range.to) return 0
  let total = 0
  let last: string | undefined
  const failures: unknown[] = []
  for (;;) {
    const accounts = await listWithoutStatement(deps.db, range, last, pageAccounts)
    for (const id of accounts) await issue(deps, id, month).catch((error: unknown) => failures.push(error))
    total += accounts.length
    last = accounts.at(-1)
    if (accounts.length < pageAccounts) break
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} statements were not issued`)
  return total
}

async function issue(deps: StatementDeps, accountId: string, month: string): Promise<void> {
  const document = JSON.stringify(await buildStatement(deps, accountId, month))
  await insertStatement(deps.db, { accountId, month, document, issuedAt: deps.now() })
}
