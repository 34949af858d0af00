export type Schedule = { weekday: number; hour: number }

/**
 * The first time after `after` that is the schedule's weekday and hour in the time zone. An hour skipped by a clock
 * change is the next one; of a repeated hour it is the first.
 */
export function nextReportAt({ weekday, hour }: Schedule, timeZone: string, after: Date): Date {
  const here = Temporal.Instant.fromEpochMilliseconds(after.getTime()).toZonedDateTimeISO(timeZone)
  for (let day = here.toPlainDate(); ; day = day.add({ days: 1 })) {
    if (day.dayOfWeek !== weekday) continue
    const moment = day.toZonedDateTime({ timeZone, plainTime: new Temporal.PlainTime(hour) })
    if (moment.epochMilliseconds > after.getTime()) return new Date(moment.epochMilliseconds)
  }
}
