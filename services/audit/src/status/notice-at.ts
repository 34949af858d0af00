import type { PlatformStatus } from '@tapeline/contracts/audit/status'
import type { Deps } from '../deps.ts'

/** The maintenance notice while it is switched on and has not ended. */
export function noticeAt(settings: Deps['settings'], nowMs: number): PlatformStatus['notice'] {
  const { enabled, until, level, message } = settings.valueOf('system_config.maintenance')
  return enabled && (until === null || nowMs < Date.parse(until)) ? { level, message, until } : null
}
