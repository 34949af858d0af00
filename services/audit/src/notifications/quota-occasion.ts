import type { QUOTA_LEVELS } from '@tapeline/contracts/audit/notifications'
import type { Occasion } from './raise-notification.ts'

export type Quota = {
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
export function quotaOccasion({ accountId, policy, period, used, limit, level, endsAt }: Quota): Occasion {
  const whose = policy === 'day' ? 'daily' : 'monthly'
  const until = endsAt === null ? 'as older ones leave the last 24 hours' : `at ${endsAt.toISOString()}`
  const fill = `${used.toLocaleString('en-US')} of ${limit.toLocaleString('en-US')} requests are used.`
  return {
    accountId,
    about: {
      kind: 'quota',
      data: { policy, level, used, limit, period, ends_at: endsAt?.toISOString() ?? null },
    },
    scope: `quota/${policy}/${period}/${limit}`,
    level,
    title: level === FULL ? `Your ${whose} limit is used up` : `${level} % of your ${whose} limit is used`,
    text: level === FULL ? `${fill} More are let in ${until}.` : fill,
  }
}
