import { msg, t } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import type { Plan } from '@tapeline/contracts/config/plans'
import type { LimitWindow as CountedWindow } from '@tapeline/contracts/gateway/http'
import { i18n } from '../../language/i18n.ts'

export type LimitWindow = {
  policy: CountedWindow['policy']
  name: string
  limit: number
  used: number | undefined
  percent: number | undefined
}

const WINDOWS = [
  { policy: 'burst', name: msg`Burst, per second`, field: 'burstLimit' },
  { policy: 'min', name: msg`Per minute`, field: 'requestsPerMinute' },
  { policy: 'hour', name: msg`Per hour`, field: 'requestsPerHour' },
  { policy: 'day', name: msg`Per day`, field: 'requestsPerDay' },
  { policy: 'month', name: msg`Per month`, field: 'requestsPerMonth' },
  { policy: 'conc', name: msg`Concurrent requests`, field: 'concurrentRequests' },
] as const

const NOTICE_FROM_PERCENT = 70
/** Windows of a second or a minute change too fast to be worth showing. */
const NOTICES: Partial<Record<LimitWindow['policy'], { full: MessageDescriptor; part: (percent: number) => string }>> =
  {
    hour: {
      full: msg`The hourly limit is used up: requests are rejected until older ones leave the window.`,
      part: (percent) => t`${percent}% of the limit per hour is used.`,
    },
    day: {
      full: msg`The daily limit is used up: requests are rejected until older ones leave the window.`,
      part: (percent) => t`${percent}% of the limit per day is used.`,
    },
    month: {
      full: msg`The monthly limit is used up: requests are rejected until the next period begins.`,
      part: (percent) => t`${percent}% of the limit per month is used.`,
    },
  }

type Counted = Pick<CountedWindow, 'scope' | 'policy' | 'used'>

/** Every window of the plan, with its usage if it is known. */
export function windowsOf(rateLimits: Plan['rate_limits'], counted: readonly Counted[]): LimitWindow[] {
  return WINDOWS.map(({ policy, name, field }) => {
    const limit = rateLimits[field]
    const used = counted.find((one) => one.scope === 'account' && one.policy === policy)?.used
    return {
      policy,
      name: i18n._(name),
      limit,
      used,
      percent: used === undefined ? undefined : Math.floor((used / limit) * 100),
    }
  })
}

/** Warnings before requests are rejected, the fullest window first. */
export function noticesOf(windows: readonly LimitWindow[]): { text: string; isFull: boolean }[] {
  return windows
    .toSorted((one, other) => (other.percent ?? 0) - (one.percent ?? 0))
    .flatMap(({ policy, percent = 0 }): { text: string; isFull: boolean }[] => {
      const notice = NOTICES[policy]
      if (notice === undefined || percent < NOTICE_FROM_PERCENT) return []
      return percent >= 100
        ? [{ text: i18n._(notice.full), isFull: true }]
        : [{ text: notice.part(percent), isFull: false }]
    })
}
