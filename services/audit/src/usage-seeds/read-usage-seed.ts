import type { UsageSeed } from '@tapeline/contracts/audit/http'
import type { Deps } from '../deps.ts'
import { readAsOf } from '../reports/read-as-of.ts'
import { readPlan } from '../rollups/read-plan.ts'
import { floorTo, LEVEL_MS, LEVELS, ofAccounts } from '../rollups/roll-up.ts'
import { listAdmittedMinutes, type Seeded, sumAdmitted } from './seed-queries.ts'

/** The limiter's day window plus one of its cells. */
const DAY_WINDOW_MS = 24 * LEVEL_MS.hour + 15 * LEVEL_MS.minute

/**
 * Initial counters for an account whose counters Redis lost, or for a key with its own limits that Redis does not
 * have.
 */
export async function readUsageSeed(
  deps: Pick<Deps, 'db' | 'now'>,
  seeded: Seeded,
  monthStart: Date,
): Promise<UsageSeed> {
  const nowMs = deps.now().getTime()
  const fromMs = floorTo('minute', nowMs - DAY_WINDOW_MS)
  const plan = readPlan([floorTo('minute', monthStart.getTime()), floorTo('day', nowMs) + LEVEL_MS.day])
  const [asOf, minutes, ...months] = await Promise.all([
    readAsOf(deps, new Date(fromMs)),
    listAdmittedMinutes(deps.db, seeded, new Date(fromMs)),
    ...LEVELS.filter((level) => plan[level].length > 0).map((level) =>
      sumAdmitted(deps.db, seeded, seeded.keyId === undefined ? ofAccounts(level) : level, plan[level]),
    ),
  ])
  return {
    as_of: asOf.toISOString(),
    minutes: minutes.map(({ bucket_at, admitted }) => [bucket_at.getTime() / LEVEL_MS.minute, Number(admitted)]),
    month: months.reduce((sum, count) => sum + count, 0),
  }
}
