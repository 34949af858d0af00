const NANOSECOND_DIGITS = 9
const MILLISECOND_DIGITS = 3

/** 12 Mar 2026 */
export function formatDate(time: string | number, timeZone = 'UTC'): string {
  return parts(time, timeZone, { day: 'numeric', month: 'short', year: 'numeric' })
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

/** The clock of an RFC 3339 time in UTC with all nine digits, split where they are written dimmer. */
export function splitNanoseconds(time: string): { clock: string; rest: string } {
  const match = /T(\d\d:\d\d:\d\d)(?:\.(\d+))?/.exec(time)
  const digits = (match?.[2] ?? '').padEnd(NANOSECOND_DIGITS, '0')
  return {
    clock: `${match?.[1] ?? ''}.${digits.slice(0, MILLISECOND_DIGITS)}`,
    rest: digits.slice(MILLISECOND_DIGITS, NANOSECOND_DIGITS),
  }
}

function parts(time: string | number, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return 'N/A'
  return new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(date)
}
