import type { Deps } from '../deps.ts'
import type { ArchiveDeps } from '../request-log/archive/archived-log.ts'
import { buildStatement, monthRange } from './build-statement.ts'
import { findClosing } from './closing-queries.ts'
import { insertStatement, listWithoutStatement } from './statement-queries.ts'

const PAGE_ACCOUNTS = 100
const MONTH_CHARACTERS = 'YYYY-MM'.length

/** Job. Issues the statements of the month before, once all of its hours are closed. Each is issued once. */
export async function issueStatements(deps: Pick<Deps, 'db' | 'now' | 'signer'> & ArchiveDeps): Promise<number> {
  const closing = await findClosing(deps.db)
  if (closing === undefined) return 0
  const now = deps.now()
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1))
    .toISOString()
    .slice(0, MONTH_CHARACTERS)
  const range = monthRange(month)
  if (closing.sealed_until < range.to) return 0
  let issued = 0
  for (;;) {
    const accounts = await listWithoutStatement(deps.db, range, PAGE_ACCOUNTS)
    for (const accountId of accounts) {
      const document = JSON.stringify(await buildStatement(deps, accountId, month))
      await insertStatement(deps.db, { accountId, month, document, issuedAt: now })
    }
    issued += accounts.length
    if (accounts.length < PAGE_ACCOUNTS) return issued
  }
}
