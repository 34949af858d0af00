import type { Deps } from './deps.ts'
import { dayOf, ensureDays } from './ensure-days.ts'
import { dropPartition, listPartitionDays, type PartitionedTable } from './partition-queries.ts'

const DAY_MS = 86_400_000

/** Makes today's and tomorrow's partitions and drops the ones whose days are no longer kept. */
export async function keepPartitions({ db, now, retention }: Pick<Deps, 'db' | 'now' | 'retention'>): Promise<void> {
  const nowMs = now().getTime()
  await ensureDays(db, [nowMs, nowMs + DAY_MS])
  // Sums per minute outlive the rows they are made of: an event of a day whose rows are kept must find both.
  const kept: [PartitionedTable, number][] = [
    ['usage_event', retention.rowDays],
    ['usage_minute', Math.max(retention.minuteDays, retention.rowDays)],
  ]
  for (const [table, days] of kept) {
    const oldest = dayOf(nowMs - days * DAY_MS)
    for (const day of await listPartitionDays(db, table)) if (day < oldest) await dropPartition(db, table, day)
  }
}
