import type { LimitsReport } from '@tapeline/contracts/gateway/http'
import type { AccountPlan } from '../limiter/account-plan.ts'
import type { Decision } from '../usage/decision.ts'
import type { CachedKey } from '../account-cache/cached-account.ts'
import { presentDecision } from '../limiter/limit-headers.ts'

/** `streamsUsed`: open live streams of the account. */
export type LimitsOf = {
  decision: Decision
  plan: AccountPlan
  key: CachedKey | undefined
  streamsUsed: number
}

/** Limits and consumption of the account and of the calling key, as the limiter has just reported them. */
export function reportLimits({ decision, plan, key, streamsUsed: used }: LimitsOf): LimitsReport {
  const { connections: limit, messagesPerSecond } = plan.streams
  const { windows, degraded } = presentDecision(decision)
  return {
    tier: plan.tier,
    degraded,
    key_id: key?.record.value?.key_id ?? null,
    month: { from: instant(plan.month.startS), to: instant(plan.month.endS) },
    windows,
    stream: {
      connections: { used, limit, remaining: Math.max(0, limit - used) },
      messages_per_second: messagesPerSecond,
    },
  }
}

function instant(seconds: number): string {
  return new Date(seconds * 1_000).toISOString()
}
