import { t } from '@lingui/core/macro'
import { dateFormat } from './locale.ts'

/** 12 Mar 2026 */
export function formatDate(time: string | number, timeZone = 'UTC'): string {
  return parts(time, timeZone, { day: 'numeric', month: 'short', year: 'numeric' })
}

/** 12 Mar */
export function formatDayOfMonth(time: string | number, timeZone = 'UTC'): string {
  return parts(time, timeZone, { day: 'numeric', month: 'short' })
}

/** Mar 2026 */
export function formatMonth(time: string | number, timeZone = 'UTC'): string {
  return parts(time, timeZone, { month: 'short', year: 'numeric' })
}

/** 20 Nov 2026, 08:12 */
export function formatDateTime(time: string | number, timeZone = 'UTC'): string {
  return `${formatDate(time, timeZone)}, ${formatClock(time, timeZone).slice(0, 5)}`
}

/** 20:31:07 */
export function formatClock(time: string | number, timeZone = 'UTC'): string {
  return parts(time, timeZone, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
}

function parts(time: string | number, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return t`N/A`
  return dateFormat({ ...options, timeZone }).format(date)
}
