import { expect, test } from 'vitest'
import { dayBefore, reminderDue } from './reminder-due.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** The reminders sent with a check every five minutes from `from` on, as [time, day]. */
function remindersOf(hour: number, timeZone: string, { from, hours }: { from: string; hours: number }) {
  const notified: [string, string][] = []
  let notifiedDay: string | null = null
  for (let at = Date.parse(from); at < Date.parse(from) + hours * HOUR_MS; at += 5 * MINUTE_MS) {
    const { day } = reminderDue(new Date(at), { hour, timeZone, notifiedDay })
    if (day === null) continue
    notified.push([new Date(at).toISOString(), day])
    notifiedDay = day
  }
  return notified.slice(1)
}

test("a reminder is due at the user's hour, once a day", () => {
  expect(remindersOf(9, 'Asia/Kolkata', { from: '2026-03-01T00:00:00Z', hours: 72 })).toEqual([
    ['2026-03-01T03:30:00.000Z', '2026-03-01'],
    ['2026-03-02T03:30:00.000Z', '2026-03-02'],
    ['2026-03-03T03:30:00.000Z', '2026-03-03'],
  ])
})

test('an hour skipped by a clock change is replaced by the next one', () => {
  expect(remindersOf(2, 'America/New_York', { from: '2026-03-06T12:00:00Z', hours: 72 })).toEqual([
    ['2026-03-07T07:00:00.000Z', '2026-03-07'],
    ['2026-03-08T07:00:00.000Z', '2026-03-08'],
    ['2026-03-09T06:00:00.000Z', '2026-03-09'],
  ])
})

test('an hour repeated by a clock change has one reminder, the first time', () => {
  expect(remindersOf(1, 'America/New_York', { from: '2026-10-30T12:00:00Z', hours: 72 })).toEqual([
    ['2026-10-31T05:00:00.000Z', '2026-10-31'],
    ['2026-11-01T05:00:00.000Z', '2026-11-01'],
    ['2026-11-02T06:00:00.000Z', '2026-11-02'],
  ])
})

test('the midnight that Cairo skips is one o’clock', () => {
  const [, night] = remindersOf(0, 'Africa/Cairo', { from: '2026-04-22T12:00:00Z', hours: 48 })
  expect(night).toEqual(['2026-04-23T22:00:00.000Z', '2026-04-24'])
})

test('in every zone and at every hour of a year each day has one reminder, in order, never early and at most an hour late', () => {
  for (const timeZone of ['Europe/Berlin', 'Australia/Lord_Howe', 'America/St_Johns', 'Pacific/Chatham', 'UTC']) {
    for (const hour of [0, 1, 2, 3, 9, 23]) {
      let { nextAt } = reminderDue(new Date('2026-01-01T00:00:00Z'), { hour, timeZone, notifiedDay: null })
      let notifiedDay: string | null = null
      for (let n = 0; n < 365; n += 1) {
        const { day, nextAt: after } = reminderDue(nextAt, { hour, timeZone, notifiedDay })
        const here = Temporal.Instant.fromEpochMilliseconds(nextAt.getTime()).toZonedDateTimeISO(timeZone)
        expect(day).toBe(here.toPlainDate().toString())
        expect([hour, hour + 1]).toContain(here.hour)
        expect(notifiedDay === null || day === null || day > notifiedDay).toBe(true)
        expect(reminderDue(new Date(nextAt.getTime() + 1), { hour, timeZone, notifiedDay: day }).day).toBeNull()
        notifiedDay = day
        nextAt = after
      }
    }
  }
})

test('a missed reminder is sent until the next one is due, and never twice', () => {
  const time = { hour: 9, timeZone: 'UTC', notifiedDay: '2026-03-01' }
  expect(reminderDue(new Date('2026-03-03T08:59:59Z'), time)).toEqual({
    day: '2026-03-02',
    nextAt: new Date('2026-03-03T09:00:00Z'),
  })
  expect(reminderDue(new Date('2026-03-03T09:00:00Z'), time)).toMatchObject({ day: '2026-03-03' })
  expect(reminderDue(new Date('2026-03-03T09:00:00Z'), { ...time, notifiedDay: '2026-03-03' })).toEqual({
    day: null,
    nextAt: new Date('2026-03-04T09:00:00Z'),
  })
})

test('moving from Tokyo to Los Angeles does not repeat a day', () => {
  const notifiedDay = '2026-03-10'
  const there = { hour: 9, timeZone: 'America/Los_Angeles', notifiedDay }
  expect(reminderDue(new Date('2026-03-10T18:00:00Z'), there)).toEqual({
    day: null,
    nextAt: new Date('2026-03-11T16:00:00Z'),
  })
})

test('the previous day lasts from midnight to midnight, 23 or 25 hours across clock changes', () => {
  expect(dayBefore('2026-03-09', 'America/New_York')).toEqual({
    day: '2026-03-08',
    from: new Date('2026-03-08T05:00:00Z'),
    to: new Date('2026-03-09T04:00:00Z'),
  })
  const autumn = dayBefore('2026-11-02', 'America/New_York')
  expect(autumn.to.getTime() - autumn.from.getTime()).toBe(25 * HOUR_MS)
})
