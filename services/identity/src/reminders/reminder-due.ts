export type ReminderTime = {
  /** The person's hour, 0 to 23, where they are. */
  hour: number
  timeZone: string
  /** The last day that was reminded of, `YYYY-MM-DD` where the person is. */
  toldDay: string | null
}
/** `day`: the day to remind of now, if any. `nextAt`: when the next one is due. */
export type ReminderDue = { day: string | null; nextAt: Date }

/** Every day has its hour once: one that the clocks leave out is the next one, of one that comes twice it is the first. */
export function reminderDue(now: Date, { hour, timeZone, toldDay }: ReminderTime): ReminderDue {
  const here = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone)
  const today = here.toPlainDate()
  const isPast = Temporal.ZonedDateTime.compare(momentOf(today, { hour, timeZone }), here) <= 0
  const latest = isPast ? today : today.subtract({ days: 1 })
  // Who has moved west has been told of a day that is yet to come there.
  const told = toldDay === null ? latest.subtract({ days: 1 }) : Temporal.PlainDate.from(toldDay)
  const isTold = Temporal.PlainDate.compare(told, latest) >= 0
  const next = (isTold ? told : latest).add({ days: 1 })
  return {
    day: isTold ? null : latest.toString(),
    nextAt: new Date(momentOf(next, { hour, timeZone }).epochMilliseconds),
  }
}

/** The day before, from midnight to midnight where the person is: it may have 23 or 25 hours. */
export function dayBefore(day: string, timeZone: string): { day: string; from: Date; to: Date } {
  const date = Temporal.PlainDate.from(day)
  const before = date.subtract({ days: 1 })
  const startOf = (one: Temporal.PlainDate) => new Date(one.toZonedDateTime(timeZone).epochMilliseconds)
  return { day: before.toString(), from: startOf(before), to: startOf(date) }
}

function momentOf(day: Temporal.PlainDate, { hour, timeZone }: { hour: number; timeZone: string }) {
  return day.toZonedDateTime({ timeZone, plainTime: new Temporal.PlainTime(hour) })
}
