import { dateFormat } from '../../format/locale.ts'
import { formatClock } from '../../format/date.ts'

const DAY: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' }

/** Day, clock to the millisecond and what is finer, in the zone of the account. */
export function requestTime(time: string, timeZone: string): { day: string; clock: string; fine: string } {
  const digits = /\.(\d+)/.exec(time)?.[1] ?? ''
  const day = dateFormat({ ...DAY, timeZone }).format(new Date(time))
  return { day, clock: `${formatClock(time, timeZone)}.${digits.slice(0, 3).padEnd(3, '0')}`, fine: digits.slice(3) }
}
