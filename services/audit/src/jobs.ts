import type { Job } from '@tapeline/service/jobs'
import type { Deps } from './deps.ts'
import { keepPartitions } from './keep-partitions.ts'

/** What audit does by the clock, UTC. */
export function jobs(deps: Pick<Deps, 'db' | 'now' | 'retention'>): Job[] {
  return [{ name: 'keep-partitions', cron: '7 * * * *', run: () => keepPartitions(deps) }]
}
