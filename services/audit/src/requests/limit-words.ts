import type { ExplainedWindow } from '@tapeline/contracts/audit/requests'
import type { Policy } from '@tapeline/contracts/usage/events'

const UNITS: Record<Policy, string> = {
  burst: 'requests used in the last second',
  min: 'requests used in the last minute',
  hour: 'requests used in the last hour',
  day: 'requests used in the last 24 hours',
  month: 'requests used this month',
  conc: 'concurrent requests',
}

/** The use of a limit as text: "5 of 5 requests used in the last second". */
export function limitWords({ policy, used, limit }: Pick<ExplainedWindow, 'policy' | 'used' | 'limit'>): string {
  return `${used} of ${limit} ${UNITS[policy]}`
}
