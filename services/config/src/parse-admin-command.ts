import { type Tier, TIERS } from '@tapeline/contracts/actor'
import { TierLimits } from '@tapeline/contracts/config/tiers'
import { AppError, type FieldError } from '@tapeline/service/app-error'
import { Format } from 'typebox/format'
import { Value } from 'typebox/value'
import type { SetSubscription } from './subscriptions/set-subscription.ts'

export type AdminCommand = { command: 'show'; account_id: string } | { command: 'change'; change: SetSubscription }

const USAGE = `Usage:
  show <account id>
  set-tier <account id> ${TIERS.join('|')}
  set-limits <account id> '<JSON of all six rateLimits>'   sets custom limits
  set-limits <account id> null                           restores the limits of the plan`

/**
 * Parses an operator's words into a command of config.
 * @throws Error with the usage for unknown words
 */
export function parseAdminCommand(words: readonly string[]): AdminCommand {
  const [command, account_id, value, ...rest] = words
  if (account_id === undefined || rest.length > 0 || (value === undefined) !== (command === 'show')) {
    throw invalid(USAGE)
  }
  if (!Format.IsUuid(account_id)) throw invalid('The account id is a UUID.')
  if (value === undefined) return { command: 'show', account_id }
  if (command === 'set-tier') return { command: 'change', change: { account_id, tier: parseTier(value) } }
  if (command === 'set-limits') return { command: 'change', change: { account_id, rate_limits: parseLimits(value) } }
  throw invalid(USAGE)
}

function parseTier(text: string): Tier {
  const tier = TIERS.find((name) => name === text)
  if (tier === undefined) throw invalid(`The tier is one of ${TIERS.join(', ')}.`)
  return tier
}

function parseLimits(text: string): TierLimits | null {
  const limits = parseJson(text)
  if (limits === null || Value.Check(TierLimits, limits)) return limits
  const errors = Value.Errors(TierLimits, limits).map(({ instancePath, message }) => ({
    field: instancePath || '/',
    message,
  }))
  throw invalid('These are not valid limits:', errors)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalid(`The limits are not valid JSON: ${String(cause)}`)
  }
}

function invalid(message: string, errors?: FieldError[]): AppError {
  return new AppError('request.invalid', message, errors === undefined ? {} : { errors })
}
