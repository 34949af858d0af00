import type { Job } from '@tapeline/service/jobs'
import { compareUsage } from './compare-usage.ts'
import type { Deps } from './deps.ts'
import { keepPartitions } from './keep-partitions.ts'

/** What audit does by the clock, UTC. */
export function jobs(deps: Pick<Deps, 'db' | 'now' | 'retention' | 'limiter'>): Job[] {
  return [
    { name: 'keep-partitions', cron: '7 * * * *', run: () => keepPartitions(deps) },
    { name: 'compare-usage', cron: '* * * * *', run: () => compareUsage(deps, 'last hour') },
    { name: 'compare-usage-again', cron: '37 * * * *', run: () => compareUsage(deps, 'all that Redis keeps') },
  ]
}
