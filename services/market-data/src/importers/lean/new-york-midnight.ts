const NEW_YORK = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})
const MS_PER_HOUR = 3_600_000
/** UTC−4 in summer, UTC−5 in winter; clocks change at 02:00, so midnight is always one of the two. */
const OFFSETS_HOURS = [4, 5]

/** UTC milliseconds of midnight in New York on a day written as 20131007; undefined when there is no such day. */
export function newYorkMidnight(day: string): number | undefined {
  const [, year = '', month = '', date = ''] = /^(\d{4})(\d{2})(\d{2})$/.exec(day) ?? []
  const utcMidnight = Date.parse(`${year}-${month}-${date}T00:00:00Z`)
  if (Number.isNaN(utcMidnight)) return undefined
  return OFFSETS_HOURS.map((hours) => utcMidnight + hours * MS_PER_HOUR).find(
    (milliseconds) => NEW_YORK.format(milliseconds) === `${month}/${date}/${year}, 00:00:00`,
  )
}
