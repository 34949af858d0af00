const NANOSECOND_DIGITS = 9
const MILLISECOND_DIGITS = 3

/** The clock of an RFC 3339 time in UTC with all nine digits, split where they are written dimmer. */
export function splitNanoseconds(time: string): { clock: string; nanoseconds: string } {
  const match = /T(\d\d:\d\d:\d\d)(?:\.(\d+))?/.exec(time)
  const digits = (match?.[2] ?? '').padEnd(NANOSECOND_DIGITS, '0')
  return {
    clock: `${match?.[1] ?? ''}.${digits.slice(0, MILLISECOND_DIGITS)}`,
    nanoseconds: digits.slice(MILLISECOND_DIGITS, NANOSECOND_DIGITS),
  }
}
