export type ReminderTime = {
  /** The user's hour, 0 to 23, in their time zone. */
  hour: number
  timeZone: string
  /** The last day with a reminder, `YYYY-MM-DD` in the user's time zone. */
  notifiedDay: string | null
}
/** `day`: the day whose reminder is due, if any. `nextAt`: when the next one is due. */
export type ReminderDue = { day: string | null; nextAt: Date }

/** Each day has one reminder: an hour skipped by a clock change is the next one, of a repeated hour it is the first. */
export function reminderDue(now: Date, { hour, timeZone, notifiedDay }: ReminderTime): ReminderDue {
  const here = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone)
  const today = here.toPlainDate()
  const isPast = Temporal.ZonedDateTime.compare(momentOf(today, { hour, timeZone }), here) <= 0
  const latest = isPast ? today : today.subtract({ days: 1 })
  // After a move to the west, the last reminded day can be in the future there.
  const notified = notifiedDay === null ? latest.subtract({ days: 1 }) : Temporal.PlainDate.from(notifiedDay)
  const isNotified = Temporal.PlainDate.compare(notified, latest) >= 0
  const next = (isNotified ? notified : latest).add({ days: 1 })
  return {
    day: isNotified ? null : latest.toString(),
    nextAt: new Date(momentOf(next, { hour, timeZone }).epochMilliseconds),
  }
}

/** The previous day, from midnight to midnight in the user's time zone: it can have 23 or 25 hours. */
export function dayBefore(day: string, timeZone: string): { day: string; from: Date; to: Date } {
  const date = Temporal.PlainDate.from(day)
  const before = date.subtract({ days: 1 })
  const startOf = (one: Temporal.PlainDate) => new Date(one.toZonedDateTime(timeZone).epochMilliseconds)
  return { day: before.toString(), from: startOf(before), to: startOf(date) }
}

function momentOf(day: Temporal.PlainDate, { hour, timeZone }: { hour: number; timeZone: string }) {
  return day.toZonedDateTime({ timeZone, plainTime: new Temporal.PlainTime(hour) })
}
