import type { AccountUsage, AccountUsageQuery } from '@tapeline/contracts/audit/account-usage'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from './deps.ts'
import { readPlan } from './read-plan.ts'
import { sumSeries } from './read-usage-sums.ts'
import { reportLimits } from './report-limits.ts'
import { floorTo } from './roll-up.ts'
import { addToTally, emptyTally } from './tally.ts'

/** What an account did in a stretch of whole minutes, and how far its limits were used: for identity's reminders. */
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
      const question = { filter, edgesMs, timeZone: 'UTC', groupBy: 'outcome' as const, withLatency: false }
      const { counts } = (await sumSeries(snapshot, question)).reduce((tally, sum) => {
        addToTally(tally, sum)
        return tally
      }, emptyTally())
      return { ...counts, limits: await reportLimits({ db: snapshot }, accountId, readPlan(edgesMs)) }
    })
}
