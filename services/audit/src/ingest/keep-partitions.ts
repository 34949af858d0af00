import { deleteChecks } from '../reconciliation/check-queries.ts'
import type { Deps } from '../deps.ts'
import { dayOf, ensureDays } from '../rollups/ensure-days.ts'
import { dropPartition, listPartitionDays, PARTITIONED_TABLES } from '../rollups/partition-queries.ts'

const DAY_MS = 86_400_000

/** Makes today's and tomorrow's partitions and drops the ones whose days are no longer kept, with what was found out about them. */
export async function keepPartitions({ db, now, retention }: Pick<Deps, 'db' | 'now' | 'retention'>): Promise<void> {
  const nowMs = now().getTime()
  await ensureDays(db, [nowMs, nowMs + DAY_MS])
  const oldest = dayOf(nowMs - retention.rowDays * DAY_MS)
  await deleteChecks(db, new Date(oldest))
  for (const table of PARTITIONED_TABLES) {
    for (const day of await listPartitionDays(db, table)) if (day < oldest) await dropPartition(db, table, day)
  }
}
