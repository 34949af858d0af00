import type { AccountUsage, AccountUsageQuery } from '@tapeline/contracts/audit/account-usage'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { readPlan } from '../rollups/read-plan.ts'
import { reportLimits } from './report-limits.ts'
import { floorTo } from '../rollups/roll-up.ts'
import { totalOfPeriod } from './total-usage.ts'

/**
 * Usage of an account in a range of whole minutes, with the highest use of its limits, for identity's reminders.
 * @throws AppError period.invalid
 */
export async function readAccountUsage(
  { db }: Pick<Deps, 'db'>,
  accountId: string,
  { from, to }: AccountUsageQuery,
): Promise<AccountUsage> {
  const edgesMs = [from, to].map((time) => floorTo('minute', Date.parse(time)))
  const [fromMs = Number.NaN, toMs = Number.NaN] = edgesMs
  if (!(fromMs < toMs)) throw new AppError('period.invalid', 'to must be later than from.')
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      const filter = { accountId, route: undefined, keyId: undefined }
      const { counts } = await totalOfPeriod(snapshot, { filter, edgesMs, withLatency: false })
      return { ...counts, limits: await reportLimits({ db: snapshot }, accountId, readPlan(edgesMs)) }
    })
}
