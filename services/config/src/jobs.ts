import type { Job } from '@tapeline/service/jobs'
import type { Deps } from './deps.ts'
import { publishFlagFlips } from './flags/publish-flag-flips.ts'
import { issueInvoices } from './invoices/issue-invoices.ts'
import { endOverdueTrials } from './subscriptions/end-overdue-trials.ts'
import { notifyTrialEnds } from './subscriptions/notify-trial-ends.ts'

/** Scheduled jobs of config, in UTC. */
export function jobs(deps: Pick<Deps, 'db' | 'now' | 'newId' | 'raiseVersion'>): Job[] {
  return [
    { name: 'notify-trial-ends', cron: '* * * * *', run: () => notifyTrialEnds(deps) },
    { name: 'publish-flag-flips', cron: '* * * * *', run: () => publishFlagFlips(deps) },
    { name: 'issue-invoices', cron: '7 * * * *', run: () => issueInvoices(deps) },
    { name: 'end-overdue-trials', cron: '* * * * *', run: () => endOverdueTrials(deps) },
  ]
}
