import type { LimitsReport } from '@tapeline/contracts/gateway/http'
import type { AccountPlan } from './account-plan.ts'
import type { Decision } from './decision.ts'
import type { CachedKey } from './cached-account.ts'
import { presentDecision } from './limit-headers.ts'

/** Limits and consumption of the account and of the key that asks, as the limiter has just reported them. */
export function reportLimits(decision: Decision, plan: AccountPlan, key: CachedKey | undefined): LimitsReport {
  const { windows, degraded } = presentDecision(decision)
  return {
    tier: plan.tier,
    degraded,
    key_id: key?.record.value?.key_id ?? null,
    month: { from: instant(plan.month.startS), to: instant(plan.month.endS) },
    windows,
  }
}

function instant(seconds: number): string {
  return new Date(seconds * 1_000).toISOString()
}
