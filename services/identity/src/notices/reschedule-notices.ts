import type { settingsChanged } from '@tapeline/contracts/config/events'
import type { Event } from '@tapeline/contracts/event'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import { clearPlan } from '../reminders/reminder-queries.ts'
import type { Tables } from '../tables.ts'
import { setCheckTime } from './notice-queries.ts'

/**
 * Reschedules the user's waiting notices and, after a change of the time zone, the next reminder. Idempotent: nothing
 * is sent here.
 */
export async function rescheduleNotices(
  trx: Transaction<Tables>,
  { time, data }: Event<Static<typeof settingsChanged.data>>,
): Promise<void> {
  await setCheckTime(trx, data.account_id, new Date(time))
  if ('timezone' in data.after) await clearPlan(trx, data.account_id)
}
