import type { UserActor } from '@tapeline/contracts/actor'
import {
  apiKeyCreated,
  apiKeyExpired,
  apiKeyExpiring,
  apiKeyRevoked,
  apiKeyUsedFromNewNetwork,
} from '@tapeline/contracts/api-key/events'
import { notificationRaised } from '@tapeline/contracts/audit/events'
import type { NotificationPage } from '@tapeline/contracts/audit/notifications'
import { trialEnded, trialEnding } from '@tapeline/contracts/config/events'
import { type Event, newEvent } from '@tapeline/contracts/event'
import type { Decision, UsageRequestServed } from '@tapeline/contracts/usage/events'
import { someUser } from '@tapeline/testing/actors'
import { deliverTwice } from '@tapeline/testing/kafka/deliver-twice'
import { Value } from 'typebox/value'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import { usageEvent } from '@tapeline/testing/usage/usage-event'
import { domainSubscriptions, subscriptions } from '../subscriptions.ts'
import { pruneNotifications } from './prune-notifications.ts'

const { db, deps, clock, ago, get, patch, close } = await openTestApp('2026-03-10T12:00:00.000Z')
afterAll(close)

const DAY_MS = 86_400_000
const usage = subscriptions(deps)
type Window = Decision['windows'][number]

/** Applies an event with this usage twice. */
async function useUp(actor: UserActor, windows: Window[], { at = ago(1), degraded = false } = {}): Promise<void> {
  const event = usageEvent({ account_id: actor.userId, at })
  event.data.decision = { ...event.data.decision, windows, degraded }
  await deliverTwice(db, usage, event)
}

async function feed(actor: UserActor, query = ''): Promise<NotificationPage> {
  const answer = await get(actor, `notifications?${query}`)
  expect(answer.json()).toMatchObject({ success: true })
  return answer.json().data
}
const titles = async (actor: UserActor) => (await feed(actor)).notifications.map(({ title }) => title).toReversed()
const day = (used: number, limit = 1_000): Window => ({ policy: 'day', used, limit, reset_ms: 60_000 })
const month = (used: number, endsInDays = 10): Window => ({
  policy: 'month',
  used,
  limit: 1_000,
  reset_ms: endsInDays * DAY_MS,
})

test('70, 80 and 100 % of a limit raise one notification each, and only the highest when several are passed at once', async () => {
  const actor = someUser()
  for (const used of [699, 700, 750, 800, 990, 1_000, 1_000, 820]) await useUp(actor, [day(used)])
  expect(await titles(actor)).toEqual([
    '70% of your daily limit is used',
    '80% of your daily limit is used',
    'Your daily limit is used up',
  ])
  const heavyUser = someUser()
  await useUp(heavyUser, [day(100), month(950)])
  await useUp(heavyUser, [day(100), month(720)])
  expect(await feed(heavyUser)).toMatchObject({
    unread: 1,
    notifications: [
      {
        kind: 'quota',
        title: '80% of your monthly limit is used',
        text: '950 of 1,000 requests are used.',
        data: { policy: 'month', level: 80, used: 950, limit: 1_000, period: '2026-03-20' },
        read_at: null,
      },
    ],
  })
})

test("a new day, month or limit raises notifications again; a gateway's fallback share does not", async () => {
  const actor = someUser()
  await useUp(actor, [day(750)])
  await useUp(actor, [day(750)], { at: ago(1_441) })
  await useUp(actor, [day(75, 100)])
  await useUp(actor, [month(700)])
  await useUp(actor, [month(700, 41)])
  expect(await titles(actor)).toHaveLength(5)
  const degraded = someUser()
  await useUp(degraded, [day(1_000), month(1_000)], { degraded: true })
  expect(await titles(degraded)).toEqual([])
})

test('a restarted consumer raises no notification again', async () => {
  const actor = someUser()
  await useUp(actor, [day(800)])
  const event = usageEvent({ account_id: actor.userId, at: ago(1) })
  event.data.decision.windows = [day(801)]
  await deliverTwice(db, subscriptions(deps), event)
  expect(await titles(actor)).toEqual(['80% of your daily limit is used'])
})

test('a rolled-back batch raises nothing until it is applied again', async () => {
  const actor = someUser()
  const event = usageEvent({ account_id: actor.userId, at: ago(1) })
  event.data.decision.windows = [day(800)]
  const watch = subscriptions(deps).filter(({ definition }) => definition.type === event.type)
  const apply = async (isCommitted: boolean) =>
    db.transaction().execute(async (trx) => {
      for (const { apply: handle } of watch) await handle(trx, [event as Event<UsageRequestServed>])
      if (!isCommitted) throw new Error('the connection broke')
    })
  await expect(apply(false)).rejects.toThrow('the connection broke')
  expect(await titles(actor)).toEqual([])
  await apply(true)
  expect(await titles(actor)).toHaveLength(1)
})

test('key events raise one notification each, and are published for mail and push', async () => {
  const actor = someUser()
  const key = { key_id: 'key-1', kid: 'k1', account_id: actor.userId, name: 'ci' }
  const about = () => ({ id: deps.newId(), time: deps.now(), subject: 'key-1', account: actor.userId, actor })
  const expires_at = '2026-03-17T00:00:00.000Z'
  const listening = domainSubscriptions(deps)
  for (const event of [
    newEvent(apiKeyCreated, { ...about(), data: { ...key, version: 1 } }),
    newEvent(apiKeyUsedFromNewNetwork, { ...about(), data: { ...key, network: '198.51.100.0/24' } }),
    newEvent(apiKeyExpiring, { ...about(), data: { ...key, expires_at, days_left: 7 } }),
    newEvent(apiKeyExpired, { ...about(), data: { ...key, expires_at } }),
    newEvent(apiKeyRevoked, { ...about(), data: { ...key, version: 2 } }),
  ]) {
    await deliverTwice(db, listening, event)
    clock.nowMs += 1
  }
  const expectedTitles = [
    'API key “ci” was created',
    'API key “ci” was used from a new network',
    'API key “ci” expires in 7 days',
    'API key “ci” has expired',
    'API key “ci” was revoked',
  ]
  expect(await titles(actor)).toEqual(expectedTitles)
  const outbox = await db
    .selectFrom('outbox')
    .select(['topic', 'envelope'])
    .where('subject', '=', actor.userId)
    .orderBy('position')
    .execute()
  const announced = outbox.map(({ envelope }) => (envelope as Event<unknown>).data)
  expect(announced.every((data) => Value.Check(notificationRaised.data, data))).toBe(true)
  const raised = (await feed(actor)).notifications.toReversed()
  expect(announced).toMatchObject(expectedTitles.map((title) => ({ account_id: actor.userId, title })))
  expect(announced).toMatchObject(raised.map(({ kind, data }) => ({ kind, data })))
})

test('a trial raises notifications three days and one day before its end, and at its end', async () => {
  const actor = someUser()
  const trial = { account_id: actor.userId, tier: 'pro' as const, ends_at: '2026-03-20T00:00:00.000Z' }
  const data = { ...trial, tier_after: 'free' as const }
  const about = () => ({ id: deps.newId(), time: deps.now(), subject: actor.userId, account: actor.userId, actor })
  const listening = domainSubscriptions(deps)
  for (const event of [
    newEvent(trialEnding, { ...about(), data: { ...data, days_left: 3 } }),
    newEvent(trialEnding, { ...about(), data: { ...data, days_left: 1 } }),
    newEvent(trialEnded, { ...about(), data: { ...data, because: 'over' } }),
  ]) {
    await deliverTwice(db, listening, event)
    clock.nowMs += 1
  }
  expect(await titles(actor)).toEqual([
    'Your trial of the Pro plan ends in 3 days',
    'Your trial of the Pro plan ends in a day',
    'Your trial of the Pro plan is over',
  ])
  const replaced = someUser()
  const ending = { ...data, account_id: replaced.userId, tier_after: 'pro' as const, because: 'replaced' as const }
  await deliverTwice(db, listening, newEvent(trialEnded, { ...about(), account: replaced.userId, data: ending }))
  expect((await feed(replaced)).notifications).toMatchObject([
    { kind: 'trial_ended', text: 'Your account is now on the Pro plan.', data: { tier_after: 'pro' } },
  ])
})

test('one notification or all can be marked as read; another account’s does not exist', async () => {
  const actor = someUser()
  await useUp(actor, [day(700)])
  await useUp(actor, [day(800)])
  await useUp(actor, [day(1_000)])
  const { notifications, unread } = await feed(actor, 'limit=2')
  expect([notifications.length, unread]).toEqual([2, 3])
  const id = notifications[0]?.id
  const data = async (path: string) => (await patch(actor, path)).json().data
  expect(await data(`notifications/${id}/read`)).toEqual({ marked: 1, unread: 2 })
  expect(await data(`notifications/${id}/read`)).toEqual({ marked: 0, unread: 2 })
  expect((await feed(actor, 'unread=true')).notifications).toHaveLength(2)
  for (const [otherUser, one] of [
    [someUser(), id],
    [actor, crypto.randomUUID()],
  ] as const) {
    const answer = await patch(otherUser, `notifications/${one}/read`)
    expect(answer.json()).toMatchObject({ status: 404, code: 'notification.not_found' })
  }
  expect(await data('notifications/read')).toEqual({ marked: 2, unread: 0 })
})

test('the pages together are the whole feed, newest first', async () => {
  const actor = someUser()
  for (let n = 0; n < 5; n += 1) {
    await useUp(actor, [month(700, 10 + 31 * n)])
    clock.nowMs += 1
  }
  const all = (await feed(actor)).notifications.map(({ id }) => id)
  const ids: string[] = []
  let current = await feed(actor, 'limit=2')
  for (;;) {
    ids.push(...current.notifications.map(({ id }) => id))
    if (current.next_cursor === null) break
    current = await feed(actor, `limit=2&cursor=${current.next_cursor}`)
  }
  expect([ids, ids.length]).toEqual([all, 5])
})

test('notifications are deleted after 180 days, in batches; a month in progress raises none again', async () => {
  const actor = someUser()
  const startMs = clock.nowMs
  for (let n = 0; n < 5; n += 1) {
    await useUp(actor, [day(1_000, 1_000 + n)])
  }
  clock.nowMs = startMs + 180 * DAY_MS
  await useUp(actor, [month(1_000)])
  expect(await titles(actor)).toHaveLength(6)
  clock.nowMs += 1
  expect(await pruneNotifications(deps, 2)).toBeGreaterThanOrEqual(5)
  expect(await pruneNotifications(deps, 2)).toBe(0)
  await useUp(actor, [month(1_000)])
  expect(await titles(actor)).toEqual(['Your monthly limit is used up'])
})
