import type { Job } from '@tapeline/service/jobs'
import type { Deps } from './deps.ts'
import { dropSealedDays } from './lake/sealing/drop-sealed-days.ts'
import { sealSettledDays } from './lake/sealing/seal-settled-days.ts'
import { sweepLake } from './lake/sealing/sweep-lake.ts'
import { dropOldPartitions } from './store/drop-old-partitions.ts'

export type Keeping = {
  retentionDays: () => number
  /** Undefined without a lake. */
  lakeKeepDays: number | undefined
}

/** What market-data does by the clock, UTC. */
export function jobs(deps: Deps, { retentionDays, lakeKeepDays }: Keeping): Job[] {
  return [
    { name: 'drop-old-partitions', cron: '23 * * * *', run: () => dropOldPartitions(deps, retentionDays()) },
    ...(lakeKeepDays === undefined ? [] : lakeJobs(deps, lakeKeepDays)),
  ]
}

function lakeJobs(deps: Deps, keepDays: number): Job[] {
  return [
    { name: 'seal-settled-days', cron: '7 * * * *', run: () => sealSettledDays(deps) },
    { name: 'drop-sealed-days', cron: '47 * * * *', run: () => dropSealedDays(deps) },
    { name: 'sweep-lake', cron: '37 3 * * *', run: () => sweepLake(deps, keepDays) },
  ]
}
