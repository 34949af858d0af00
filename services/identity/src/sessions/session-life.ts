import type { Deps } from '../deps.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * Expiry of a session: the maximum age if remembered, otherwise also an idle timeout. A lifetime shortened by
 * configuration applies from the next refresh on.
 */
export function sessionExpiry(
  { settings }: Pick<Deps, 'settings'>,
  { isRemembered, createdAt }: { isRemembered: boolean; createdAt: Date },
  now: Date,
): Date {
  const { idle_hours, remembered_days } = settings.valueOf('system_config.sessions')
  const wholeLifeEnds = createdAt.getTime() + remembered_days * DAY_MS
  return new Date(isRemembered ? wholeLifeEnds : Math.min(wholeLifeEnds, now.getTime() + idle_hours * HOUR_MS))
}
