import { deleteChecks } from '../reconciliation/check-queries.ts'
import type { Deps } from '../deps.ts'
import { dayOf, ensureDays } from '../rollups/ensure-days.ts'
import { deleteShadowBefore } from '../shadow/shadow-queries.ts'
import { dropPartition, listPartitionDays, TABLES_WITH_DAYS } from '../rollups/partition-queries.ts'

const DAY_MS = 86_400_000
/** Short transactions: after a loss of Redis there is a row per account and minute. */
const BATCH_ROWS = 5_000

/**
 * Creates today's and tomorrow's partitions and drops those past their retention, with their reconciliation results and
 * what shadow limits decided.
 */
export async function maintainPartitions(
  { db, now, retention }: Pick<Deps, 'db' | 'now' | 'retention'>,
  batchRows = BATCH_ROWS,
): Promise<void> {
  const nowMs = now().getTime()
  await ensureDays(db, [nowMs, nowMs + DAY_MS])
  const oldest = dayOf(nowMs - retention.rowDays * DAY_MS)
  while ((await deleteChecks(db, new Date(oldest), batchRows)) === batchRows);
  while ((await deleteShadowBefore(db, new Date(oldest), batchRows)) === batchRows);
  for (const table of TABLES_WITH_DAYS) {
    for (const day of await listPartitionDays(db, table)) if (day < oldest) await dropPartition(db, table, day)
  }
}
