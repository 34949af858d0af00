import type { Frequency } from './notification-settings.ts'

export type DigestTime = {
  frequency: Frequency
  /** The user's hour, 0 to 23, in their time zone. */
  hour: number
  timeZone: string
}

const DAYS_PER_WEEK = 7

/** When a notice is delivered: immediately, at the user's next hour, or at that hour on the next Monday. */
export function noticeDue(raisedAt: Date, { frequency, hour, timeZone }: DigestTime): Date {
  if (frequency === 'immediate') return raisedAt
  const raised = Temporal.Instant.fromEpochMilliseconds(raisedAt.getTime()).toZonedDateTimeISO(timeZone)
  for (let day = raised.toPlainDate(); ; day = day.add({ days: 1 })) {
    // An hour skipped by a clock change is the next one; of a repeated hour it is the first.
    const moment = day.toZonedDateTime({ timeZone, plainTime: new Temporal.PlainTime(hour) })
    const isDay = frequency === 'daily' || day.dayOfWeek % DAYS_PER_WEEK === 1
    if (isDay && Temporal.ZonedDateTime.compare(moment, raised) > 0) return new Date(moment.epochMilliseconds)
  }
}
