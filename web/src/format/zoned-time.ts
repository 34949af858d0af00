/** "2026-11-20T14:05": a moment as the clock of a time zone shows it, in the form of the browser's field. */
export function clockOf(time: string | number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(new Date(time))
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? ''
  // Browsers write years with four digits.
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`
}

/** The instant of this local time in a time zone; undefined if the text is not a time. */
export function momentOf(clock: string, timeZone: string): string | undefined {
  const asUtcMs = Date.parse(`${clock}Z`)
  if (Number.isNaN(asUtcMs)) return undefined
  const offsetAt = (ms: number): number => Date.parse(`${clockOf(ms, timeZone)}Z`) - ms
  // The first estimate may have the offset from the other side of a clock change.
  const guess = asUtcMs - offsetAt(asUtcMs)
  return new Date(asUtcMs - offsetAt(guess)).toISOString()
}
