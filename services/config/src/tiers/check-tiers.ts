import { TIERS } from '@tapeline/contracts/actor'
import type { RateLimits, TierConfig } from '@tapeline/contracts/config/tiers'
import { TierConfig as TierConfigSchema } from '@tapeline/contracts/config/tiers'
import { AppError, type FieldError } from '@tapeline/service/app-error'
import { Value } from 'typebox/value'

const FROM_SHORT_TO_LONG = [
  'burstLimit',
  'requestsPerMinute',
  'requestsPerHour',
  'requestsPerDay',
  'requestsPerMonth',
] as const satisfies (keyof RateLimits)[]

/** Tier documents that may be stored; otherwise a failure that names every wrong field. */
export function checkTiers(config: unknown): TierConfig {
  if (!Value.Check(TierConfigSchema, config)) {
    throw invalid(
      Value.Errors(TierConfigSchema, config).map(({ instancePath, message }) => ({
        field: instancePath || '/',
        message,
      })),
    )
  }
  const errors = TIERS.flatMap((tier) => unreachable(config[tier].rateLimits, `/${tier}/rateLimits`))
  if (errors.length > 0) throw invalid(errors)
  return config
}

/** A short window that allows more than a longer one promises what nobody can use. */
function unreachable(limits: RateLimits, path: string): FieldError[] {
  return FROM_SHORT_TO_LONG.flatMap((name, index) => {
    const longer = FROM_SHORT_TO_LONG[index + 1]
    if (longer === undefined || limits[name] <= limits[longer]) return []
    return [{ field: `${path}/${name}`, message: `${name} is above ${longer}` }]
  })
}

function invalid(errors: FieldError[]): AppError {
  return new AppError('tier.invalid', errors[0]?.message ?? 'The tier documents are not valid.', { errors })
}
