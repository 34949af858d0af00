import type { Deps } from '../../deps.ts'
import { dayOf, nanosecondsOf } from '../../nanoseconds.ts'
import { SETTLED_NS } from '../sealing/seal-settled-days.ts'
import { mergeMonth, type MergeOutcome } from './merge-month.ts'
import { listMonthsToMerge } from './month-queries.ts'

/** The last day of a month is sealed a day after its end, and leaves PostgreSQL soon after. */
const AFTER_MONTH_NS = 2n * SETTLED_NS
/** Keeps one run of the job short; the next run continues. */
const MONTHS_PER_RUN = 500

type Outcomes = Record<MergeOutcome, number>

/**
 * Merges the files of a finished month's days into one if they are small enough together.
 * @throws AggregateError
 */
export async function mergeFinishedMonths(deps: Deps, bytesMax: number): Promise<Outcomes> {
  const outcomes: Outcomes = { merged: 0, 'merged already': 0, changed: 0 }
  const failures: Error[] = []
  const beforeDay = dayOf(String(nanosecondsOf(deps.now()) - AFTER_MONTH_NS))
  for (const month of await listMonthsToMerge(deps.pool, { beforeDay, bytesMax, limit: MONTHS_PER_RUN })) {
    try {
      outcomes[await mergeMonth(deps, month)] += 1
    } catch (error) {
      failures.push(error instanceof Error ? error : new Error(String(error)))
    }
  }
  // A month with a damaged day must not prevent the merge of others.
  if (failures.length > 0) throw new AggregateError(failures, failures.map(({ message }) => message).join('; '))
  return outcomes
}
