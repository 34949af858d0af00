import type { UserActor } from '@tapeline/contracts/actor'
import type { ApiKey, LimitWarning } from '@tapeline/contracts/api-key/http'
import type { RateLimits } from '@tapeline/contracts/config/tiers'
import type { Deps } from '../deps.ts'

const UNITS: Record<keyof RateLimits, string> = {
  burstLimit: 'requests per second',
  requestsPerMinute: 'requests per minute',
  requestsPerHour: 'requests per hour',
  requestsPerDay: 'requests per day',
  requestsPerMonth: 'requests per month',
  concurrentRequests: 'concurrent requests',
}

/** Adds a warning for every key limit above the limit of the account's plan. */
export function withLimitWarnings<Answered extends { key: ApiKey }>(
  { settings }: Pick<Deps, 'settings'>,
  { tier }: UserActor,
  answered: Answered,
): Answered & { warnings?: LimitWarning[] } {
  const plan = settings.tiers()?.[tier]
  const { rate_limits: caps } = answered.key
  if (plan === undefined || caps === null) return answered
  const warnings = RATE_LIMITS.flatMap((name): LimitWarning[] => {
    const [cap, limit] = [caps[name] ?? 0, plan.rateLimits[name]]
    if (cap <= limit) return []
    const message =
      `${name} ${cap} is above the limit of the ${plan.display.name} plan: ${limit} ${UNITS[name]} apply, ` +
      'unless your account has limits of its own.'
    return [{ code: 'api_key.limit_above_plan', field: `/rate_limits/${name}`, message, limit }]
  })
  return warnings.length === 0 ? answered : { ...answered, warnings }
}

const RATE_LIMITS = [
  'burstLimit',
  'requestsPerMinute',
  'requestsPerHour',
  'requestsPerDay',
  'requestsPerMonth',
  'concurrentRequests',
] as const
