import { Gauge, type Registry } from '@tapeline/service/metrics'
import { type ArchivingDeps, findOldestDay } from './archive-days.ts'

const MS_PER_S = 1_000
const DAY_MS = 86_400_000

/** Adds the delay of the archive, read from the tables on each scrape. Without an object store nothing is archived, nor measured. */
export function measureArchive(deps: ArchivingDeps, registry: Registry): void {
  if (deps.store === undefined) return
  const overdue: Gauge = new Gauge({
    name: 'audit_request_log_overdue_seconds',
    help: 'Seconds since the oldest day of the request log was due to be moved to the object store; 0 if none is due.',
    registers: [registry],
    async collect() {
      const ms = await overdueMs(deps).catch(() => undefined)
      // Without the database the process still reports its other metrics, and the last value of this one.
      if (ms !== undefined) overdue.set(ms / MS_PER_S)
    },
  })
}

/** Milliseconds of delay, whatever its cause: the store, the database, or hours that are not closed yet. */
async function overdueMs({ db, now, archiveAfterDays }: ArchivingDeps): Promise<number> {
  const dueMs = now().getTime() - archiveAfterDays * DAY_MS
  const day = await findOldestDay(db, dueMs)
  return day === undefined ? 0 : dueMs - Date.parse(day) - DAY_MS
}
