const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** RFC 3339 in UTC of `15m` (ago), `now`, a date or a time in UTC; undefined for any other text. */
export function parseTime(text: string, nowMs: number): string | undefined {
  if (text === 'now') return new Date(nowMs).toISOString()
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  if (count !== undefined && unit !== undefined) return isoOf(nowMs - Number(count) * (UNIT_MS[unit] ?? 0))
  return utcTime(text)
}

function utcTime(text: string): string | undefined {
  const [, date, time] = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z)?$/.exec(text) ?? []
  if (date === undefined || !isRealDate(date) || Number.isNaN(Date.parse(text))) return undefined
  return time === undefined ? `${date}T00:00:00Z` : text
}

/** Undefined before 1970: the platform has no such times. */
function isoOf(ms: number): string | undefined {
  return ms < 0 ? undefined : new Date(ms).toISOString()
}

/** 30 February is rejected: JavaScript's date would become a day in March. */
function isRealDate(date: string): boolean {
  const ms = Date.parse(`${date}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date)
}
