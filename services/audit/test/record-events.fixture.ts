import type { Event } from '@tapeline/contracts/event'
import type { UsageRequestServed } from '@tapeline/contracts/usage/events'
import type { Kysely } from 'kysely'
import { ensureDays } from '../src/rollups/ensure-days.ts'
import { recordUsage } from '../src/ingest/record-usage.ts'
import type { Tables } from '../src/tables.ts'

/** Counts events of many days, whose partitions are there before the transaction begins to wait. For tests. */
export async function recorded(db: Kysely<Tables>, events: readonly Event<UsageRequestServed>[]): Promise<void> {
  await ensureDays(
    db,
    events.map(({ time }) => Date.parse(time)),
  )
  await db.transaction().execute((trx) => recordUsage({ db }, trx, events))
}
