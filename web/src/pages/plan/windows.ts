import type { UsageLimit } from '@tapeline/contracts/audit/http'
import type { Plan } from '@tapeline/contracts/config/plans'

export type LimitWindow = { name: string; limit: number; used: number | undefined; percent: number | undefined }

const WINDOWS = [
  { policy: 'burst', name: 'Burst, per second', field: 'burstLimit' },
  { policy: 'min', name: 'Per minute', field: 'requestsPerMinute' },
  { policy: 'hour', name: 'Per hour', field: 'requestsPerHour' },
  { policy: 'day', name: 'Per day', field: 'requestsPerDay' },
  { policy: 'month', name: 'Per month', field: 'requestsPerMonth' },
  { policy: 'conc', name: 'At the same time', field: 'concurrentRequests' },
] as const

const NOTICE_FROM_PERCENT = 70
/** Windows of a second or a minute are full and empty again before anybody has read of it. */
const SLOW = new Set(['Per hour', 'Per day', 'Per month'])

/** Every window of the plan, with what was used of it; nothing is known of one before the first request. */
export function windowsOf(rateLimits: Plan['rate_limits'], limits: readonly UsageLimit[]): LimitWindow[] {
  return WINDOWS.map(({ policy, name, field }) => {
    const limit = rateLimits[field]
    const used = limits.find((one) => one.policy === policy)?.used
    return { name, limit, used, percent: used === undefined ? undefined : Math.floor((used / limit) * 100) }
  })
}

/** What the reader should know before requests are refused, the fullest window first. */
export function noticesOf(windows: readonly LimitWindow[]): { text: string; isFull: boolean }[] {
  return windows
    .filter(({ name, percent }) => SLOW.has(name) && (percent ?? 0) >= NOTICE_FROM_PERCENT)
    .toSorted((one, other) => (other.percent ?? 0) - (one.percent ?? 0))
    .map(({ name, percent = 0 }) => {
      const window = name.toLowerCase()
      return percent >= 100
        ? { text: `The limit ${window} is used up: requests are refused until the window moves on.`, isFull: true }
        : { text: `${percent} % of the limit ${window} is used.`, isFull: false }
    })
}
