import type { Deps } from '../deps.ts'
import type { ArchiveDeps } from '../request-log/archive/archived-log.ts'
import { eraseArchivedNetworks } from '../request-log/archive/erase-archived.ts'
import { whileAlone } from '../run-lock-queries.ts'
import { eraseAccount, type ErasedAccount } from './erase-account.ts'
import { listPendingErasures, markArchiveErased, markErased, type PendingErasure } from './erasure-queries.ts'

const PAGE_ACCOUNTS = 100
/** Each row may be on a page of its own that is not in memory, and a statement should take less than two seconds. */
const BATCH_ROWS = 1_000
/** Causes in the message of a failure. */
const CAUSES_MAX = 3

type ErasureDeps = Pick<Deps, 'db' | 'now'> & ArchiveDeps
type Limits = { pageAccounts: number; batchRows: number }

/**
 * Erases networks, names and changed values of deleted accounts; counts and times stay under an id that identifies no
 * person. Idempotent, may end at any point, and is repeated for a day. An account that fails does not keep others from being erased.
 * Returns the number of accounts that were processed: 0 while another process erases.
 * @throws AggregateError with the failures, after all accounts
 */
export async function eraseAccounts(deps: ErasureDeps, limits: Partial<Limits> = {}): Promise<number> {
  const { pageAccounts = PAGE_ACCOUNTS, batchRows = BATCH_ROWS } = limits
  const total = await whileAlone(deps.db, 'account erasure run', async () => {
    let [accounts, failed] = [0, 0]
    const causes: unknown[] = []
    for (let last: PendingErasure | undefined; ;) {
      const page = await listPendingErasures(deps.db, last, pageAccounts)
      const result = await erasePage(deps, page, batchRows)
      accounts += page.length
      failed += result.accounts.size
      causes.push(...result.causes)
      last = page.at(-1)
      if (page.length < pageAccounts) break
    }
    if (failed > 0) throw failureOf(failed, causes)
    return accounts
  })
  return total ?? 0
}

/** `accounts`: those that were not erased completely. */
type Failed = { accounts: ReadonlySet<string>; causes: readonly unknown[] }

async function erasePage(deps: ErasureDeps, page: readonly PendingErasure[], batchRows: number): Promise<Failed> {
  const results: { account: PendingErasure; erased: ErasedAccount }[] = []
  for (const account of page) results.push({ account, erased: await eraseAccount(deps, account, batchRows) })
  // Reads whole files: at first, and once more when no more rows can be archived with networks.
  const due = results.filter(({ account, erased }) => account.archive_erased_at === null || erased.isFinal)
  const archive = await eraseArchivedNetworks(
    deps,
    due.map(({ account }) => account.account_id),
  ).catch((error: unknown) => ({ erased: new Set<string>(), failures: [error] }))
  const failed = new Set<string>()
  for (const { account, erased } of results) {
    const id = account.account_id
    const isOutOfArchive = archive.erased.has(id)
    if (isOutOfArchive) await markArchiveErased(deps.db, id, deps.now())
    if (erased.failures.length > 0) failed.add(id)
    else if (erased.isFinal && isOutOfArchive) await markErased(deps.db, id, deps.now())
  }
  // Without failures, another process is archiving: the next run erases them from the archive.
  const isFailing = archive.failures.length > 0
  for (const { account } of due)
    if (isFailing && !archive.erased.has(account.account_id)) failed.add(account.account_id)
  return { accounts: failed, causes: [...results.flatMap(({ erased }) => erased.failures), ...archive.failures] }
}

function failureOf(accounts: number, causes: readonly unknown[]): AggregateError {
  const messages = new Set(causes.map((cause) => (cause instanceof Error ? cause.message : String(cause))))
  const text = [...messages].slice(0, CAUSES_MAX).join('; ')
  return new AggregateError(causes, `${accounts} accounts were not erased completely: ${text}`)
}
