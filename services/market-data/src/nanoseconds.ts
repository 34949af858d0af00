const NS_DIGITS = 9
const DAY_S = 86_400
/** PostgreSQL's bigint; 2262-04-11. */
export const NANOSECONDS_MAX = 9_223_372_036_854_775_807n
const DATE = /^(\d{4}-\d{2}-\d{2})$/
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})$/

/** RFC 3339 with up to nine fraction digits, a date, or nanoseconds since 1970; undefined for any other text. */
export function parseTime(text: string): bigint | undefined {
  const nanoseconds = /^\d+$/.test(text) ? BigInt(text) : parseDate(text)
  return nanoseconds !== undefined && nanoseconds >= 0n && nanoseconds <= NANOSECONDS_MAX ? nanoseconds : undefined
}

function parseDate(text: string): bigint | undefined {
  const day = DATE.exec(text)?.[1]
  if (day !== undefined) return join(day, '00:00:00', 'Z', '')
  const match = DATE_TIME.exec(text)
  if (match === null) return undefined
  const [, date = '', clock = '', fraction = '', zone = ''] = match
  return join(date, clock, zone.toUpperCase(), fraction)
}

function join(date: string, clock: string, zone: string, fraction: string): bigint | undefined {
  const localMs = Date.parse(`${date}T${clock}Z`)
  const milliseconds = Date.parse(`${date}T${clock}${zone}`)
  // Date rolls 31 February over into March, so only a value that is unchanged after the round trip is a date.
  if (Number.isNaN(milliseconds) || new Date(localMs).toISOString().slice(0, 19) !== `${date}T${clock}`)
    return undefined
  return BigInt(milliseconds) * 1_000_000n + BigInt(fraction.padEnd(NS_DIGITS, '0'))
}

const MINUTE_S = 60
const TWO_DIGITS = Array.from({ length: MINUTE_S }, (_value, second) => String(second).padStart(2, '0'))
let lastMinute = -1
let lastText = ''

/** `2024-08-08T23:54:15.342000000Z` from nanosecond digits: always nine fraction digits. */
export function formatRfc3339(nanoseconds: string): string {
  const digits = nanoseconds.length > NS_DIGITS ? nanoseconds : nanoseconds.padStart(NS_DIGITS + 1, '0')
  const seconds = Number(digits.slice(0, -NS_DIGITS))
  const minute = Math.floor(seconds / MINUTE_S)
  if (minute !== lastMinute) {
    lastText = new Date(minute * MINUTE_S * 1000).toISOString().slice(0, 17)
    lastMinute = minute
  }
  return `${lastText}${TWO_DIGITS[seconds - minute * MINUTE_S]}.${digits.slice(-NS_DIGITS)}Z`
}

/** Days since 1970, in UTC, of nanosecond digits. */
export function dayOf(nanoseconds: string): number {
  return Math.floor(Number(nanoseconds.slice(0, -NS_DIGITS)) / DAY_S)
}

export function dayStart(day: number): bigint {
  return BigInt(day) * BigInt(DAY_S) * 1_000_000_000n
}

/** `20240808` of days since 1970. */
export function dayName(day: number): string {
  return new Date(day * DAY_S * 1000).toISOString().slice(0, 10).replaceAll('-', '')
}

/** Order of two digit strings without leading zeros. */
export function compareNanoseconds(left: string, right: string): number {
  if (left.length !== right.length) return left.length - right.length
  if (left === right) return 0
  return left < right ? -1 : 1
}

export function nanosecondsOf(date: Date): bigint {
  return BigInt(date.getTime()) * 1_000_000n
}
