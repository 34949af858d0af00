import type { Frequency } from './notification-settings.ts'

export type DigestTime = {
  frequency: Frequency
  /** The person's hour, 0 to 23, where they are. */
  hour: number
  timeZone: string
}

const DAYS_PER_WEEK = 7

/** When a notice is told: at once, at the person's next hour, or at that hour of the next Monday. */
export function noticeDue(raisedAt: Date, { frequency, hour, timeZone }: DigestTime): Date {
  if (frequency === 'immediate') return raisedAt
  const raised = Temporal.Instant.fromEpochMilliseconds(raisedAt.getTime()).toZonedDateTimeISO(timeZone)
  for (let day = raised.toPlainDate(); ; day = day.add({ days: 1 })) {
    // An hour that the clocks leave out is the next one; of an hour that comes twice it is the first.
    const moment = day.toZonedDateTime({ timeZone, plainTime: new Temporal.PlainTime(hour) })
    const isDay = frequency === 'daily' || day.dayOfWeek % DAYS_PER_WEEK === 1
    if (isDay && Temporal.ZonedDateTime.compare(moment, raised) > 0) return new Date(moment.epochMilliseconds)
  }
}
