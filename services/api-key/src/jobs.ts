import type { Job } from '@tapeline/service/jobs'
import type { Deps } from './deps.ts'
import { forgetAnswers } from './forget-answers.ts'
import { removeDeletedKeys } from './remove-deleted-keys.ts'
import { tellOfExpiry } from './tell-of-expiry.ts'

/** What api-key does by the clock, UTC. */
export function jobs(deps: Pick<Deps, 'db' | 'now' | 'newId' | 'forgetVersion'>): Job[] {
  return [
    { name: 'tell-of-expiry', cron: '* * * * *', run: () => tellOfExpiry(deps) },
    { name: 'forget-answers', cron: '23 * * * *', run: () => forgetAnswers(deps) },
    { name: 'remove-deleted-keys', cron: '53 3 * * *', run: () => removeDeletedKeys(deps) },
  ]
}
