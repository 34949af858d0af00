import type { Job } from '@tapeline/service/jobs'
import type { Deps } from './deps.ts'
import { deleteOldAnswers } from './idempotency/delete-old-answers.ts'
import { removeDeletedKeys } from './removal/remove-deleted-keys.ts'
import { notifyExpiringKeys } from './expiry/notify-expiring-keys.ts'

/** Scheduled jobs of api-key, in UTC. */
export function jobs(deps: Pick<Deps, 'db' | 'now' | 'newId' | 'deleteVersion'>): Job[] {
  return [
    { name: 'notify-expiring-keys', cron: '* * * * *', run: () => notifyExpiringKeys(deps) },
    { name: 'delete-old-answers', cron: '23 * * * *', run: () => deleteOldAnswers(deps) },
    { name: 'remove-deleted-keys', cron: '53 3 * * *', run: () => removeDeletedKeys(deps) },
  ]
}
