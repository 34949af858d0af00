/**
 * Start of the account's first month after a time: 00:00 UTC on the anchor's day, or the last day of a shorter month.
 */
export function nextMonthStart(anchor: Date, after: Date): Date {
  const months = after.getUTCFullYear() * 12 + after.getUTCMonth()
  const inThisMonth = startIn(months, anchor.getUTCDate())
  return inThisMonth > after ? inThisMonth : startIn(months + 1, anchor.getUTCDate())
}

function startIn(months: number, day: number): Date {
  const [year, month] = [Math.floor(months / 12), months % 12]
  const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month, Math.min(day, days)))
}
