import type { Tier, UserActor } from '@tapeline/contracts/actor'
import { reportMade } from '@tapeline/contracts/audit/events'
import { settingsChanged } from '@tapeline/contracts/config/events'
import type { SubscriptionRecord } from '@tapeline/contracts/config/http'
import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'
import { TIERS_KEY } from '@tapeline/contracts/config/platform-settings'
import { EventEnvelope, newEvent } from '@tapeline/contracts/event'
import { fixedSettings } from '@tapeline/service/platform-settings'
import { someUser } from '@tapeline/testing/actors'
import { deliverTwice } from '@tapeline/testing/kafka/deliver-twice'
import { usageEvent } from '@tapeline/testing/usage/usage-event'
import { Value } from 'typebox/value'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import { domainSubscriptions } from '../subscriptions.ts'
import { listReports } from './list-reports.ts'
import { makeDueReports } from './make-due-reports.ts'
import { createReport } from './save-report.ts'
import { previewReport } from './send-report.ts'

const { db, deps: plainDeps, clock, ago, record, close } = await openTestApp('2026-03-09T07:30:00.000Z')
const configs = { [TIERS_KEY]: { value: tierDocuments, is_public: false } }
const deps = { ...plainDeps, settings: fixedSettings({ version: 1, flags: [], configs }) }
afterAll(close)

const DAY_MS = 86_400_000
const plans = new Map<string, { tier: Tier; time_zone: string }>()
const WEEKLY = { name: 'Weekly', api_key_id: null, status: null, breakdown: 'hour', weekday: 1, hour: 8 } as const

async function readSubscription(accountId: string): Promise<SubscriptionRecord> {
  const plan = plans.get(accountId)
  if (plan === undefined) throw new Error('config does not respond')
  const anchor = '2026-01-01T00:00:00.000Z'
  return { account_id: accountId, version: 1, anchor, trial_ends_at: null, rate_limits: null, ...plan }
}

async function owner(): Promise<UserActor> {
  const actor = someUser({ tier: 'pro' })
  plans.set(actor.userId, { tier: 'pro', time_zone: 'UTC' })
  await createReport(deps, actor, { ...WEEKLY, active: true })
  return actor
}
const make = () => makeDueReports(deps, readSubscription)
const reportOf = async (actor: UserActor) => (await listReports(deps, actor)).reports[0]
async function reportsOf({ userId }: UserActor) {
  const rows = await db.selectFrom('outbox').select('envelope').orderBy('position').execute()
  return rows
    .map(({ envelope }) => Value.Parse(EventEnvelope, envelope))
    .filter(({ account, type }) => account === userId && type === reportMade.type)
    .map(({ data }) => Value.Parse(reportMade.data, data))
}
const setTime = (time: string) => {
  clock.nowMs = Date.parse(time)
}

test('a due report is made once by concurrent processes, with the numbers of that moment', async () => {
  setTime('2026-03-09T07:30:00.000Z')
  const actor = await owner()
  await record(usageEvent({ account_id: actor.userId, at: ago(5) }))
  await make()
  expect(await reportsOf(actor)).toEqual([])
  setTime('2026-03-09T08:00:00.000Z')
  await Promise.all([make(), make(), make()])
  const report = await reportOf(actor)
  expect(report).toMatchObject({ next_at: '2026-03-16T08:00:00.000Z', last_made_at: '2026-03-09T08:00:00.000Z' })
  const { bytes } = await previewReport(deps, actor, report?.id ?? '')
  expect(await reportsOf(actor)).toEqual([
    {
      report_id: report?.id,
      account_id: actor.userId,
      name: 'Weekly',
      from: '2026-03-02T08:00:00.000+00:00',
      to: '2026-03-09T08:00:00.000+00:00',
      total: 1,
      file_name: 'tapeline-report-2026-03-09.csv',
      content_type: 'text/csv; charset=utf-8; header=present',
      file: bytes.toString('base64'),
    },
  ])
})

test('weeks missed while the platform was off result in one report', async () => {
  setTime('2026-03-09T07:30:00.000Z')
  const actor = await owner()
  setTime('2026-04-01T10:00:00.000Z')
  await make()
  await make()
  expect(await reportsOf(actor)).toHaveLength(1)
  expect(await reportOf(actor)).toMatchObject({ next_at: '2026-04-06T08:00:00.000Z' })
})

test('no report is made while the tier does not include reports; they resume when it does', async () => {
  setTime('2026-03-09T07:30:00.000Z')
  const actor = await owner()
  plans.set(actor.userId, { tier: 'basic', time_zone: 'UTC' })
  setTime('2026-03-09T08:00:00.000Z')
  await make()
  expect(await reportsOf(actor)).toEqual([])
  expect(await reportOf(actor)).toMatchObject({ next_at: '2026-03-16T08:00:00.000Z', last_made_at: null })
  plans.set(actor.userId, { tier: 'pro', time_zone: 'UTC' })
  clock.nowMs += 7 * DAY_MS
  await make()
  expect(await reportsOf(actor)).toHaveLength(1)
})

test('an account whose plan cannot be read is tried again and does not delay the others', async () => {
  setTime('2026-03-09T07:30:00.000Z')
  const [unread, other] = [await owner(), await owner()]
  plans.delete(unread.userId)
  setTime('2026-03-09T08:00:00.000Z')
  await expect(make()).rejects.toThrow('config does not respond')
  expect(await reportsOf(other)).toHaveLength(1)
  expect(await reportOf(unread)).toMatchObject({ next_at: '2026-03-09T08:00:00.000Z' })
  plans.set(unread.userId, { tier: 'pro', time_zone: 'UTC' })
  await make()
  expect([await reportsOf(unread), await reportsOf(other)]).toMatchObject([[{}], [{}]])
})

test('a changed time zone moves the reports of the account', async () => {
  setTime('2026-03-09T07:30:00.000Z')
  const [actor, other] = [await owner(), await owner()]
  const data = { account_id: actor.userId, settings_version: 2, before: {}, after: { timezone: 'America/New_York' } }
  const about = { id: deps.newId(), time: deps.now(), subject: actor.userId, account: actor.userId, actor }
  await deliverTwice(db, domainSubscriptions(deps), newEvent(settingsChanged, { ...about, data }))
  expect(await reportOf(actor)).toMatchObject({ next_at: '2026-03-09T12:00:00.000Z' })
  expect(await reportOf(other)).toMatchObject({ next_at: '2026-03-09T08:00:00.000Z' })
})
