import { notificationRaised } from '@tapeline/contracts/audit/events'
import type { NotificationAbout } from '@tapeline/contracts/audit/notification-data'
import { settingsChanged } from '@tapeline/contracts/config/events'
import { type Event, newEvent } from '@tapeline/contracts/event'
import { deliverTwice } from '@tapeline/testing/kafka/deliver-twice'
import { afterAll, expect, test } from 'vitest'
import { testIdentity } from '../../test/identity.fixture.ts'
import type { OutgoingMail } from '../mail/mailer.ts'
import { sendMail } from '../mail/send-mail.ts'
import { someProfile } from '../../test/notice-deps.fixture.ts'
import { subscribeToPush } from '../push/subscribe-to-push.ts'
import { subscriptions } from '../subscriptions.ts'
import { deleteOldNotices } from './delete-old-notices.ts'
import { USED_UP } from '../../test/notices.fixture.ts'
import { listUsersWithNotices } from './notice-queries.ts'
import { settleNotices } from './settle-notices.ts'

const { db, deps: testDeps, clock, newPerson, provenPerson, mailsTo, close } = await testIdentity()
afterAll(close)

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}
let profile = someProfile()
const deps = { ...testDeps, fetchProfile: async () => profile }

const EN = { title: 'in English', text: 'as in the feed' }
const about = (userId: string) => ({
  id: deps.newId(),
  time: deps.now(),
  subject: userId,
  account: userId,
  actor: { kind: 'service', service: 'audit' } as const,
})
function raised(userId: string, what: NotificationAbout = USED_UP) {
  const data = { notification_id: deps.newId(), account_id: userId, ...EN, ...what }
  return newEvent(notificationRaised, { ...about(userId), data })
}
function ofKey(kind: 'key_created' | 'key_revoked', name: string): NotificationAbout {
  return { kind, data: { key_id: 'key-1', kid: 'k1', name } }
}
const deliver = (event: Event<{ account_id: string }>) => deliverTwice(db, subscriptions(deps), event)

async function newUser() {
  const { email, actor } = await provenPerson()
  return { email, actor, userId: actor.userId }
}

/** Settles all users that are due, as the queue does. */
async function settleDue(): Promise<string[]> {
  const outcomes: string[] = []
  for (const userId of await listUsersWithNotices(db, deps.now(), { limit: 100 })) {
    outcomes.push(await settleNotices(deps, userId))
  }
  return outcomes
}

async function lettersTo(email: string): Promise<OutgoingMail[]> {
  const letters: OutgoingMail[] = []
  for (const { id } of await mailsTo(email)) {
    await sendMail({ ...deps, findProfile: async () => profile }, async (mail) => void letters.push(mail), id)
  }
  return letters
}

const pushesOf = (userId: string) =>
  db
    .selectFrom('push')
    .innerJoin('push_subscription', 'push_subscription.id', 'push.subscription_id')
    .select('push.id')
    .where('push_subscription.user_id', '=', userId)
    .execute()

test('immediate: one mail per notification, however often it is received and settled', async () => {
  profile = someProfile({ notificationFrequency: 'immediate', pushNotifications: false })
  const { email, userId } = await newUser()
  const event = raised(userId, ofKey('key_revoked', 'ci'))
  await deliver(event)
  expect(await Promise.all([settleNotices(deps, userId), settleNotices(deps, userId)])).toContain('told')
  await deliver(event)
  expect(await settleDue()).toEqual([])
  expect((await mailsTo(email)).map(({ id }) => id)).toEqual([event.data.notification_id])
  const [letter] = await lettersTo(email)
  expect(letter).toMatchObject({ subject: 'API key “ci” was revoked', to: email })
  expect(letter?.text).toContain('Requests with this key are rejected from now on.')
  expect(letter?.text).toContain('https://tapeline.test/dashboard/settings')
})

test('daily: notices since yesterday come in one mail at the user’s hour in their time zone', async () => {
  profile = someProfile({ pushNotifications: false, language: 'es' }, 'America/New_York')
  clock.nowMs = Date.parse('2026-03-07T15:00:00Z')
  const { email, userId } = await newUser()
  await deliver(raised(userId, ofKey('key_created', 'first')))
  expect(await settleDue()).toEqual(['waits'])
  clock.nowMs += 6 * HOUR_MS
  await deliver(raised(userId, ofKey('key_created', 'second <b>')))
  // The clocks change that night: nine o’clock is an hour earlier in UTC.
  for (const until = Date.parse('2026-03-08T12:55:00Z'); clock.nowMs < until; clock.nowMs += HOUR_MS / 2) {
    for (const outcome of await settleDue()) expect(outcome).toBe('waits')
  }
  clock.nowMs = Date.parse('2026-03-08T13:00:00Z')
  expect(await settleDue()).toEqual(['told'])
  clock.nowMs += DAY_MS
  expect(await settleDue()).toEqual([])
  const letters = await lettersTo(email)
  expect(letters).toHaveLength(1)
  expect(letters[0]).toMatchObject({ subject: '2 novedades de tu cuenta' })
  expect(letters[0]?.text).toMatch(
    /- Se ha creado la clave de API «first»\. .*\n- Se ha creado la clave de API «second <b>»\. /,
  )
  expect(letters[0]?.html).toContain('second &lt;b&gt;')
})

test('weekly: on Monday', async () => {
  profile = someProfile({ notificationFrequency: 'weekly', pushNotifications: false })
  clock.nowMs = Date.parse('2026-06-01T09:00:00Z')
  const { email, userId } = await newUser()
  await deliver(raised(userId))
  for (let hour = 0; hour < 7 * 24; hour += 12) {
    expect(await settleNotices(deps, userId)).toBe('waits')
    clock.nowMs += 12 * HOUR_MS
  }
  expect(clock.nowMs).toBe(Date.parse('2026-06-08T09:00:00Z'))
  expect(await settleDue()).toEqual(['told'])
  expect(await mailsTo(email)).toHaveLength(1)
})

test('changed settings apply to waiting notices: they are sent earlier, or not at all', async () => {
  profile = someProfile({ notificationFrequency: 'weekly' })
  clock.nowMs = Date.parse('2026-06-09T12:00:00Z')
  const [readAtOnce, silent] = [await newUser(), await newUser()]
  await deliver(raised(readAtOnce.userId))
  expect(await settleDue()).toEqual(['waits'])
  profile = someProfile({ notificationFrequency: 'immediate' })
  clock.nowMs += HOUR_MS
  expect(await settleDue()).toEqual(['told'])
  expect(await mailsTo(readAtOnce.email)).toHaveLength(1)

  profile = someProfile({ notificationFrequency: 'daily' })
  await deliver(raised(silent.userId))
  expect(await settleDue()).toEqual(['waits'])
  profile = someProfile({ emailNotifications: false, pushNotifications: false })
  clock.nowMs += DAY_MS
  expect(await settleDue()).toEqual(['unwanted'])
  profile = someProfile({ notificationFrequency: 'immediate' })
  expect(await settleDue()).toEqual([])
  expect(await mailsTo(silent.email)).toEqual([])
})

test('an event about changed settings takes effect on waiting notices immediately', async () => {
  profile = someProfile({ notificationFrequency: 'weekly' })
  const { email, userId } = await newUser()
  await deliver(raised(userId))
  expect(await settleDue()).toEqual(['waits'])
  expect(await settleDue()).toEqual([])
  profile = someProfile({ notificationFrequency: 'immediate' })
  const [before, after] = [{ notificationFrequency: 'weekly' }, { notificationFrequency: 'immediate' }]
  const data = { account_id: userId, settings_version: 2, before, after }
  const actor = { kind: 'service', service: 'config' } as const
  await deliverTwice(db, subscriptions(deps), newEvent(settingsChanged, { ...about(userId), actor, data }))
  expect(await settleDue()).toEqual(['told'])
  expect(await mailsTo(email)).toHaveLength(1)
})

test('mail and push are each used only when enabled', async () => {
  for (const [byMail, byPush] of [
    [true, true],
    [true, false],
    [false, true],
  ] as const) {
    profile = someProfile({
      notificationFrequency: 'immediate',
      emailNotifications: byMail,
      pushNotifications: byPush,
    })
    const { email, actor, userId } = await newUser()
    for (const browser of ['one', 'two']) {
      await subscribeToPush(deps, actor, { endpoint: `https://push.example.com/${userId}/${browser}`, keys: KEYS })
    }
    await deliver(raised(userId))
    expect(await settleDue()).toEqual(['told'])
    expect([(await mailsTo(email)).length, (await pushesOf(userId)).length]).toEqual([byMail ? 1 : 0, byPush ? 2 : 0])
  }
})

test('an unverified address gets no mail; browsers get pushes', async () => {
  for (const [settings, outcome, pushes] of [
    [{ pushNotifications: false }, 'unwanted', 0],
    [{}, 'told', 1],
  ] as const) {
    profile = someProfile({ notificationFrequency: 'immediate', ...settings })
    const { email, actor } = await newPerson()
    await subscribeToPush(deps, actor, { endpoint: `https://push.example.com/${actor.userId}`, keys: KEYS })
    await deliver(raised(actor.userId))
    expect(await settleDue()).toEqual([outcome])
    expect([(await mailsTo(email)).length, (await pushesOf(actor.userId)).length]).toEqual([0, pushes])
  }
})

test('while config does not respond nothing is sent, and afterwards once', async () => {
  const { email, userId } = await newUser()
  await deliver(raised(userId))
  const unavailable = { ...deps, fetchProfile: () => Promise.reject(new Error('config is unavailable')) }
  await expect(settleNotices(unavailable, userId)).rejects.toThrow('config is unavailable')
  expect(await mailsTo(email)).toEqual([])
  profile = someProfile({ notificationFrequency: 'immediate' })
  expect(await settleDue()).toEqual(['told'])
  expect(await settleDue()).toEqual([])
  expect(await mailsTo(email)).toHaveLength(1)
})

test('an inactive or deleted account gets nothing', async () => {
  profile = someProfile({ notificationFrequency: 'immediate' })
  const { email, userId } = await newUser()
  await db.updateTable('user_account').set({ status: 'inactive' }).where('id', '=', userId).execute()
  await deliver(raised(userId))
  await deliver(raised(crypto.randomUUID()))
  expect(await settleDue()).toEqual(['unwanted'])
  expect(await mailsTo(email)).toEqual([])
})

test('invalid settings are treated as the defaults', async () => {
  const { email, userId } = await newUser()
  clock.nowMs = Date.parse('2026-07-01T09:00:00Z')
  await deliver(raised(userId))
  for (const user_settings of ['not JSON', '"text"', 'null', { notificationFrequency: 'hourly' }, 7]) {
    profile = { ...someProfile(), time_zone: 'Mars/Olympus', configs: { user_settings } }
    expect(await settleNotices(deps, userId)).toBe('waits')
  }
  clock.nowMs += DAY_MS
  expect(await settleNotices(deps, userId)).toBe('told')
  expect(await mailsTo(email)).toHaveLength(1)
})

test('notices are deleted after a month', async () => {
  const { userId } = await newUser()
  profile = someProfile({ notificationFrequency: 'immediate' })
  await deliver(raised(userId))
  await settleNotices(deps, userId)
  clock.nowMs += 29 * DAY_MS
  const deleted = await deleteOldNotices(deps)
  clock.nowMs += 2 * DAY_MS
  expect([deleted >= 0, (await deleteOldNotices(deps)) >= 1]).toEqual([true, true])
  expect(await db.selectFrom('notice').select('id').where('user_id', '=', userId).execute()).toEqual([])
})
