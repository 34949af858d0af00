import type { Job } from '@tapeline/service/jobs'
import type { Deps } from './deps.ts'
import { tellFlagFlips } from './flags/tell-flag-flips.ts'
import { issueInvoices } from './invoices/issue-invoices.ts'
import { endOverdueTrials } from './subscriptions/end-overdue-trials.ts'
import { tellOfTrialEnds } from './subscriptions/tell-of-trial-ends.ts'

/** Scheduled jobs of config, in UTC. */
export function jobs(deps: Pick<Deps, 'db' | 'now' | 'newId' | 'raiseVersion'>): Job[] {
  return [
    { name: 'tell-of-trial-ends', cron: '* * * * *', run: () => tellOfTrialEnds(deps) },
    { name: 'tell-flag-flips', cron: '* * * * *', run: () => tellFlagFlips(deps) },
    { name: 'issue-invoices', cron: '7 * * * *', run: () => issueInvoices(deps) },
    { name: 'end-overdue-trials', cron: '* * * * *', run: () => endOverdueTrials(deps) },
  ]
}
