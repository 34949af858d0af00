import type { Logger } from '@tapeline/service/logger'
import type { Deps } from '../deps.ts'
import { remind, type Reminding } from './remind.ts'
import { clearPlans, listUsersToRemind } from './reminder-queries.ts'

const BATCH_USERS = 100
/** Sorts before every id. */
const LOWEST_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Job, every few minutes. Sends the reminders that are due. Idempotent, also under concurrency: a day is sent once.
 * When audit or config is unavailable, the reminder stays due for the next run.
 */
export async function sendReminders(
  deps: Reminding & Pick<Deps, 'db' | 'now'>,
  logger: Logger,
): Promise<{ reminded: number; failed: number }> {
  await clearPlans(deps.db)
  const result = { reminded: 0, failed: 0 }
  let after = LOWEST_ID
  for (;;) {
    const users = await listUsersToRemind(deps.db, { now: deps.now(), after, limit: BATCH_USERS })
    for (const user of users) {
      try {
        if ((await remind(deps, user)) === 'reminded') result.reminded += 1
      } catch (err) {
        result.failed += 1
        logger.warn({ err, user: user.id }, 'reminders: a reminder failed; the next run retries')
      }
    }
    const last = users.at(-1)
    if (last === undefined || users.length < BATCH_USERS) return result
    after = last.id
  }
}
