const RFC_3339 = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?Z$/
const NANOS_DIGITS = 9
const NANOS_PER_SECOND = 1_000_000_000n
const MS_PER_SECOND = 1_000

/**
 * Nanoseconds since 1970 of a time of the API: RFC 3339 in UTC with up to nine decimals, or digits (`unix_ns`).
 * @throws RangeError for any other text
 */
export function toNanoseconds(time: string): bigint {
  if (/^\d+$/.test(time)) return BigInt(time)
  const [, seconds, fraction = ''] = RFC_3339.exec(time) ?? []
  const ms = seconds === undefined ? Number.NaN : Date.parse(`${seconds}Z`)
  if (Number.isNaN(ms)) throw new RangeError(`not a time: ${time}`)
  return BigInt(ms / MS_PER_SECOND) * NANOS_PER_SECOND + BigInt(fraction.padEnd(NANOS_DIGITS, '0'))
}

/** RFC 3339 in UTC with nine decimals. */
export function fromNanoseconds(nanoseconds: bigint): string {
  const fraction = String(nanoseconds % NANOS_PER_SECOND).padStart(NANOS_DIGITS, '0')
  const at = new Date(Number(nanoseconds / NANOS_PER_SECOND) * MS_PER_SECOND).toISOString()
  return `${at.slice(0, at.indexOf('.'))}.${fraction}Z`
}
