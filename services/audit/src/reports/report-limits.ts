import type { UsageLimit } from '@tapeline/contracts/audit/http'
import { Decision, POLICIES } from '@tapeline/contracts/usage/events'
import { Value } from 'typebox/value'
import type { Deps } from '../deps.ts'
import type { ReadPlan } from '../rollups/read-plan.ts'
import { findAccountWindows, findPeaks } from './report-queries.ts'
import { LEVELS, ofAccounts } from '../rollups/roll-up.ts'

/** The limiter's state at the account's latest request, and the highest use in the period, over all keys. */
export async function reportLimits({ db }: Pick<Deps, 'db'>, accountId: string, plan: ReadPlan): Promise<UsageLimit[]> {
  const latest = await findAccountWindows(db, accountId)
  if (latest === undefined) return []
  const peaks: Awaited<ReturnType<typeof findPeaks>>[] = []
  for (const level of LEVELS.filter((one) => plan[one].length > 0)) {
    peaks.push(await findPeaks(db, accountId, ofAccounts(level), plan[level]))
  }
  const windows = Value.Parse(Decision.properties.windows, latest.windows)
  return windows
    .toSorted((a, b) => POLICIES.indexOf(a.policy) - POLICIES.indexOf(b.policy))
    .map(({ policy, used, limit }) => ({
      policy,
      limit,
      used,
      peak: Math.max(0, ...peaks.map((one) => Number(one[policy] ?? 0))),
      at: latest.windows_at.toISOString(),
    }))
}
