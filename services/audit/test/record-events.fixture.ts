import type { Event } from '@tapeline/contracts/event'
import type { UsageRequestServed } from '@tapeline/contracts/usage/events'
import type { Kysely } from 'kysely'
import { ensureDays } from '../src/rollups/ensure-days.ts'
import { recordUsage } from '../src/ingest/record-usage.ts'
import type { Tables } from '../src/tables.ts'

/** Records events of many days, after creating their partitions outside the transaction. For tests. */
export async function recorded(db: Kysely<Tables>, events: readonly Event<UsageRequestServed>[]): Promise<void> {
  await ensureDays(
    db,
    events.map(({ time }) => Date.parse(time)),
  )
  await db.transaction().execute((trx) => recordUsage({ db, now: () => new Date() }, trx, events))
}
