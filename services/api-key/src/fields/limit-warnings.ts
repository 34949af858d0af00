import type { UserActor } from '@tapeline/contracts/actor'
import type { ApiKey, KeyLimits, LimitWarning } from '@tapeline/contracts/api-key/http'
import type { RateLimits, TierDocument } from '@tapeline/contracts/config/tiers'
import type { Deps } from '../deps.ts'

const UNITS: Record<keyof RateLimits, string> = {
  burstLimit: 'requests per second',
  requestsPerMinute: 'requests per minute',
  requestsPerHour: 'requests per hour',
  requestsPerDay: 'requests per day',
  requestsPerMonth: 'requests per month',
  concurrentRequests: 'concurrent requests',
}

/** Adds a warning for every key limit, in force or proposed, above the limit of the account's plan. */
export function withLimitWarnings<Answered extends { key: ApiKey }>(
  { settings }: Pick<Deps, 'settings'>,
  { tier }: UserActor,
  answered: Answered,
): Answered & { warnings?: LimitWarning[] } {
  const plan = settings.tiers()?.[tier]
  if (plan === undefined) return answered
  const { rate_limits: caps, shadow_limits: shadow } = answered.key
  const warnings = [
    ...warningsAbout(plan, caps, '/rate_limits'),
    ...warningsAbout(plan, shadow?.rate_limits ?? null, '/shadow_limits/rate_limits'),
  ]
  return warnings.length === 0 ? answered : { ...answered, warnings }
}

function warningsAbout(plan: TierDocument, caps: KeyLimits | null, pointer: string): LimitWarning[] {
  if (caps === null) return []
  return RATE_LIMITS.flatMap((name): LimitWarning[] => {
    const [cap, limit] = [caps[name] ?? 0, plan.rateLimits[name]]
    if (cap <= limit) return []
    const message =
      `${name} ${cap} is above the limit of the ${plan.display.name} plan: ${limit} ${UNITS[name]} apply, ` +
      'unless your account has limits of its own.'
    return [{ code: 'api_key.limit_above_plan', field: `${pointer}/${name}`, message, limit }]
  })
}

const RATE_LIMITS = [
  'burstLimit',
  'requestsPerMinute',
  'requestsPerHour',
  'requestsPerDay',
  'requestsPerMonth',
  'concurrentRequests',
] as const
