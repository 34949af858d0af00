import type { Deps } from '../deps.ts'
import type { SubscriptionRow } from '../tables.ts'
import { settleTrial } from './settle-trial.ts'
import { publishVersion } from './publish-version.ts'
import { lockOverdueTrials } from './trial-queries.ts'

const BATCH = 100

/** Job. Ends every trial that has expired. Idempotent: an ended trial has no end time. */
export async function endOverdueTrials(deps: Pick<Deps, 'db' | 'now' | 'newId' | 'raiseVersion'>): Promise<number> {
  let total = 0
  for (;;) {
    const ended = await deps.db.transaction().execute(async (trx) => {
      const rows: SubscriptionRow[] = []
      for (const row of await lockOverdueTrials(trx, deps.now(), BATCH)) rows.push(await settleTrial(deps, trx, row))
      return rows
    })
    for (const row of ended) await publishVersion(deps, row)
    total += ended.length
    if (ended.length < BATCH) return total
  }
}
