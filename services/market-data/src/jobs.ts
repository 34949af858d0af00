import type { Job } from '@tapeline/service/jobs'
import { computeMissingMinuteBars } from './bars/compute-missing-minute-bars.ts'
import { createCheckpointWriter } from './book/write-checkpoints.ts'
import type { Deps } from './deps.ts'
import { mergeFinishedMonths } from './lake/months/merge-finished-months.ts'
import { dropSealedDays } from './lake/sealing/drop-sealed-days.ts'
import { sealSettledDays } from './lake/sealing/seal-settled-days.ts'
import { sweepLake } from './lake/sealing/sweep-lake.ts'
import { thinIngestMarks } from './records/as-of.ts'
import { dropOldPartitions } from './store/drop-old-partitions.ts'

export type RetentionOptions = {
  retentionDays: () => number
  /** Undefined without a lake. */
  lake: { keepDays: number; monthBytesMax: number } | undefined
}

/** Scheduled jobs of market-data; times are UTC. */
export function jobs(deps: Deps, { retentionDays, lake }: RetentionOptions): Job[] {
  return [
    { name: 'thin-ingest-marks', cron: '53 4 * * *', run: () => thinIngestMarks(deps) },
    { name: 'drop-old-partitions', cron: '23 * * * *', run: () => dropOldPartitions(deps, retentionDays()) },
    { name: 'write-book-checkpoints', cron: '*/15 * * * * *', run: createCheckpointWriter(deps) },
    { name: 'compute-missing-minute-bars', cron: '* * * * *', run: () => computeMissingMinuteBars(deps) },
    ...(lake === undefined ? [] : lakeJobs(deps, lake)),
  ]
}

function lakeJobs(deps: Deps, { keepDays, monthBytesMax }: NonNullable<RetentionOptions['lake']>): Job[] {
  return [
    { name: 'seal-settled-days', cron: '7 * * * *', run: () => sealSettledDays(deps) },
    { name: 'drop-sealed-days', cron: '47 * * * *', run: () => dropSealedDays(deps) },
    { name: 'merge-finished-months', cron: '17 2 * * *', run: () => mergeFinishedMonths(deps, monthBytesMax) },
    { name: 'sweep-lake', cron: '37 3 * * *', run: () => sweepLake(deps, keepDays) },
  ]
}
