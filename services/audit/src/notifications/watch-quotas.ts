import { QUOTA_LEVELS } from '@tapeline/contracts/audit/notifications'
import type { Event } from '@tapeline/contracts/event'
import type { UsageRequestServed } from '@tapeline/contracts/usage/events'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Tables } from '../tables.ts'
import { type NotificationCause, raiseNotification } from './raise-notification.ts'

type UsageEvent = Event<UsageRequestServed>
type Window = UsageRequestServed['decision']['windows'][number]

/** Maximum number of cached notifications; they spare a query per batch while requests continue. */
const RAISED_MAX = 50_000
const DAY_CHARACTERS = 'YYYY-MM-DD'.length

/** Called in the transaction of a new notification. */
type OnRaised = (trx: Transaction<Tables>, cause: NotificationCause) => Promise<unknown>

/**
 * Notifies an account at 70, 80 and 100 % of its day or month, once per period and limit. Idempotent: the database
 * records which were raised; `raised` only caches committed ones.
 */
export function createQuotaWatch(deps: Pick<Deps, 'now' | 'newId'>, onRaised: OnRaised) {
  const raised = new Set<string>()
  return async (trx: Transaction<Tables>, events: readonly UsageEvent[]): Promise<void> => {
    const reached = [...highestOf(events)].filter(([name, quota]) => !raised.has(`${name} ${quota.level}`))
    for (const [name, quota] of reached.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const cause = quotaCause(quota)
      if (await raiseNotification(deps, trx, cause)) {
        await onRaised(trx, cause)
        continue
      }
      if (raised.size >= RAISED_MAX) raised.clear()
      raised.add(`${name} ${quota.level}`)
    }
  }
}

/** Highest use by account, window, period and limit, where it has reached a level. */
function highestOf(events: readonly UsageEvent[]): Map<string, Quota> {
  const highest = new Map<string, Quota>()
  for (const { time, data } of events) {
    if (data.decision.degraded) continue
    for (const window of data.decision.windows) {
      const quota = quotaOf(data.account_id.toLowerCase(), time, window)
      if (quota === undefined) continue
      const name = `${quota.accountId} ${quota.policy} ${quota.period} ${quota.limit}`
      if (quota.used > (highest.get(name)?.used ?? 0)) highest.set(name, quota)
    }
  }
  return highest
}

function quotaOf(accountId: string, time: string, { policy, used, limit, reset_ms }: Window): Quota | undefined {
  if (policy !== 'day' && policy !== 'month') return undefined
  const level = QUOTA_LEVELS.findLast((percent) => used * 100 >= limit * percent)
  if (level === undefined) return undefined
  const endsAt = policy === 'month' && reset_ms !== undefined ? new Date(Date.parse(time) + reset_ms) : null
  // An account's month is identified by its end. The day is a rolling window, so its notifications are limited to one
  // per calendar day.
  const period = (endsAt ?? new Date(time)).toISOString().slice(0, DAY_CHARACTERS)
  return { accountId, policy, period, used, limit, level, endsAt }
}

type Quota = {
  accountId: string
  policy: 'day' | 'month'
  period: string
  used: number
  limit: number
  level: (typeof QUOTA_LEVELS)[number]
  /** End of the month; null for the day, which is a rolling window. */
  endsAt: Date | null
}

const FULL = 100

/** Notification about the use of a daily or monthly limit. */
function quotaCause({ accountId, policy, period, used, limit, level, endsAt }: Quota): NotificationCause {
  const whose = policy === 'day' ? 'daily' : 'monthly'
  const until = endsAt === null ? 'as older ones leave the 24-hour window' : `at ${endsAt.toISOString()}`
  const fill = `${used.toLocaleString('en-US')} of ${limit.toLocaleString('en-US')} requests are used.`
  return {
    accountId,
    about: {
      kind: 'quota',
      data: { policy, level, used, limit, period, ends_at: endsAt?.toISOString() ?? null },
    },
    scope: `quota/${policy}/${period}/${limit}`,
    level,
    title: level === FULL ? `Your ${whose} limit is used up` : `${level}% of your ${whose} limit is used`,
    text: level === FULL ? `${fill} More requests are allowed ${until}.` : fill,
  }
}
