import { UserSettings } from '@tapeline/contracts/config/settings'
import { fieldProblemsOf } from '@tapeline/contracts/field-problems'
import { AppError, type FieldError } from '@tapeline/service/app-error'
import { Type } from 'typebox'

const PartialSettings = Type.Partial(UserSettings, { additionalProperties: false })
const FIELD = '/user_settings'

/**
 * Parses settings sent as a JSON string or as an object.
 * @throws AppError that names every invalid or unknown field
 */
export function parseSettings(sent: unknown): Partial<UserSettings> {
  const parsed = typeof sent === 'string' ? parseJson(sent) : sent
  const problems = fieldProblemsOf(PartialSettings, parsed).map(({ field, message }) => ({
    field: field === '/' ? FIELD : FIELD + field,
    message,
  }))
  if (problems.length > 0) throw invalid(problems)
  // The schema has just been checked.
  const settings = parsed as Partial<UserSettings>
  if (settings.timezone === undefined) return settings
  return { ...settings, timezone: parseTimeZone(settings.timezone) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'no JSON'
    throw invalid([{ field: FIELD, message: `user_settings is not valid JSON: ${why}` }])
  }
}

/**
 * Any IANA name, in its canonical spelling; offsets are rejected. Temporal, which computes with it, has fewer names than
 * Intl: not IST or PST.
 */
function parseTimeZone(name: string): string {
  try {
    if (!/^[A-Za-z]/.test(name)) throw new RangeError(name)
    return new Temporal.ZonedDateTime(0n, name).timeZoneId
  } catch {
    const message = 'timezone must be a name of the IANA list, like Europe/London'
    throw invalid([{ field: `${FIELD}/timezone`, message }])
  }
}

function invalid(errors: FieldError[]): AppError {
  return new AppError('settings.invalid', errors[0]?.message ?? 'The settings are not valid.', { errors })
}
