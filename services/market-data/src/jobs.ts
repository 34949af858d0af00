import type { Job } from '@tapeline/service/jobs'
import type { Deps } from './deps.ts'
import { dropOldPartitions } from './store/drop-old-partitions.ts'

/** What market-data does by the clock, UTC. */
export function jobs(deps: Deps, { retentionDays }: { retentionDays: () => number }): Job[] {
  return [{ name: 'drop-old-partitions', cron: '23 * * * *', run: () => dropOldPartitions(deps, retentionDays()) }]
}
