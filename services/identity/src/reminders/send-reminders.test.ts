import type { UserActor } from '@tapeline/contracts/actor'
import type { AccountUsage } from '@tapeline/contracts/audit/account-usage'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { testIdentity } from '../../test/identity.fixture.ts'
import type { OutgoingMail } from '../mail/mailer.ts'
import { sendMail } from '../mail/send-mail.ts'
import { someProfile } from '../../test/notice-deps.fixture.ts'
import { subscribeToPush } from '../push/subscribe-to-push.ts'
import { updateProfile } from '../users/update-profile.ts'
import { clearPlan } from './reminder-queries.ts'
import { sendReminders } from './send-reminders.ts'

const { db, deps: testDeps, clock, newPerson, provenPerson, verify, mailsTo, close } = await testIdentity()
afterAll(close)

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const PROCESSES = 3
const KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}
const BUSY_DAY: AccountUsage = {
  total: 12_345,
  success: 12_000,
  failed: 345,
  denied: 45,
  client_errors: 200,
  server_errors: 100,
  limits: [
    { policy: 'burst', limit: 10, used: 1, peak: 9, at: null },
    { policy: 'day', limit: 20_000, used: 3, peak: 12_999, at: null },
    { policy: 'month', limit: 500_000, used: 100_000, peak: 99_000, at: null },
  ],
}
const periods: { from: string; to: string }[] = []
let profile = someProfile()
let isAuditUnavailable = false
const deps = {
  ...testDeps,
  fetchProfile: async () => profile,
  findProfile: async () => profile,
  fetchUsage: async (_accountId: string, { from, to }: { from: Date; to: Date }) => {
    if (isAuditUnavailable) throw new Error('audit is unavailable')
    periods.push({ from: from.toISOString(), to: to.toISOString() })
    return BUSY_DAY
  },
  fetchExpiringKeys: async () => ({
    keys: [{ name: 'ci <b>', prefix: 'tl_live_abcdefghijkl', expires_at: '2026-05-07T22:00:00.000Z' }],
  }),
}
const remind = () => sendReminders(deps, silentLogger)

/** Runs the job every half hour until `until`: in some zones hours begin on the half hour. */
async function sendUntil(until: string): Promise<void> {
  for (; clock.nowMs <= Date.parse(until); clock.nowMs += 30 * MINUTE_MS) await remind()
}

beforeEach(async () => {
  await db.updateTable('user_account').set({ reminder_enabled: false }).execute()
  await remind()
  profile = someProfile()
  isAuditUnavailable = false
  periods.length = 0
  clock.nowMs = Date.parse('2026-05-01T12:00:00Z')
})

/** Subscribes a browser of the user with a session that lasts as long as the test. */
async function subscribe(actor: UserActor): Promise<void> {
  await subscribeToPush(deps, actor, { endpoint: `https://push.example.com/${actor.userId}`, keys: KEYS })
  const expires_at = new Date(clock.nowMs + 30 * DAY_MS)
  await db.updateTable('session').set({ expires_at }).where('user_id', '=', actor.userId).execute()
}

async function letters(email: string): Promise<OutgoingMail[]> {
  const found: OutgoingMail[] = []
  for (const { id } of await mailsTo(email)) {
    await sendMail(deps, async (mail) => void found.push(mail), id)
  }
  return found
}
const timesOf = async (email: string) => (await mailsTo(email)).map(({ created_at }) => created_at.toISOString())

test('a reminder is sent daily at the user’s hour: the previous day’s numbers, in their language, from midnight to midnight', async () => {
  profile = someProfile({ language: 'fr' }, 'Asia/Kolkata')
  const { email } = await provenPerson()
  await sendUntil('2026-05-04T00:00:00Z')
  expect(await timesOf(email)).toEqual(['2026-05-02T03:30:00.000Z', '2026-05-03T03:30:00.000Z'])
  expect(periods).toEqual([
    { from: '2026-04-30T18:30:00.000Z', to: '2026-05-01T18:30:00.000Z' },
    { from: '2026-05-01T18:30:00.000Z', to: '2026-05-02T18:30:00.000Z' },
  ])
  const [letter] = await letters(email)
  expect(letter?.subject).toBe('Votre compte, le vendredi 1 mai 2026')
  const text = letter?.text.replaceAll(/[\u202f\u00a0]/g, ' ') ?? ''
  expect(text).toContain('Requêtes : 12 345. Erreurs : 300. Refusées par les limites : 45.')
  expect(text).toContain('- Limite quotidienne : 12 999 sur 20 000 (64 %).')
  expect(text).toContain('- Limite mensuelle : 99 000 sur 500 000 (19 %).')
  expect(text).toMatch(/- La clé API « ci <b> » expire le 8 mai 2026 à 03:30\./)
  expect(letter?.html).toContain('ci &lt;b&gt;')
})

test('two concurrent processes send one reminder', async () => {
  const { email } = await provenPerson()
  await remind()
  clock.nowMs = Date.parse('2026-05-02T09:00:00Z')
  // Each process has found the user due before either continues.
  const allCalled = Promise.withResolvers<void>()
  let calls = 0
  const fetchUsage = async () => {
    calls += 1
    if (calls === PROCESSES) allCalled.resolve()
    await allCalled.promise
    return BUSY_DAY
  }
  const processes = Array.from({ length: PROCESSES }, () => sendReminders({ ...deps, fetchUsage }, silentLogger))
  await Promise.all(processes)
  await remind()
  expect(await timesOf(email)).toEqual(['2026-05-02T09:00:00.000Z'])
})

test('while audit is unavailable no reminder is sent; afterwards each one once', async () => {
  const people = [await provenPerson(), await provenPerson()]
  await remind()
  isAuditUnavailable = true
  clock.nowMs = Date.parse('2026-05-02T09:00:00Z')
  expect(await remind()).toEqual({ reminded: 0, failed: people.length })
  await sendUntil('2026-05-02T16:00:00Z')
  for (const { email } of people) expect(await timesOf(email)).toEqual([])
  isAuditUnavailable = false
  await sendUntil('2026-05-02T23:00:00Z')
  for (const { email } of people) expect(await timesOf(email)).toHaveLength(1)
  expect(periods[0]).toEqual({ from: '2026-05-01T00:00:00.000Z', to: '2026-05-02T00:00:00.000Z' })
})

test('a reminder missed during an outage is sent; earlier missed days are not sent one by one', async () => {
  const { email } = await provenPerson()
  await remind()
  clock.nowMs = Date.parse('2026-05-05T11:00:00Z')
  await sendUntil('2026-05-06T10:00:00Z')
  expect(await timesOf(email)).toEqual(['2026-05-05T11:00:00.000Z', '2026-05-06T09:00:00.000Z'])
})

test('a changed hour applies from its next time on, and no day is sent twice', async () => {
  const { email, actor } = await provenPerson()
  await sendUntil('2026-05-02T09:30:00Z')
  await updateProfile(deps, actor, { reminder_time: 10 })
  await sendUntil('2026-05-03T09:30:00Z')
  expect(await timesOf(email)).toEqual(['2026-05-02T09:00:00.000Z'])
  await sendUntil('2026-05-03T12:00:00Z')
  await updateProfile(deps, actor, { reminder_time: 8 })
  await sendUntil('2026-05-04T12:00:00Z')
  expect((await timesOf(email)).slice(1)).toEqual(['2026-05-03T10:00:00.000Z', '2026-05-04T08:00:00.000Z'])
})

test('a changed time zone applies from the next time of the hour on', async () => {
  const { email, actor } = await provenPerson()
  await sendUntil('2026-05-02T12:00:00Z')
  profile = someProfile({}, 'America/Los_Angeles')
  await db.transaction().execute((trx) => clearPlan(trx, actor.userId))
  await sendUntil('2026-05-04T12:00:00Z')
  expect(await timesOf(email)).toEqual(['2026-05-02T09:00:00.000Z', '2026-05-03T16:00:00.000Z'])
})

test('disabled reminders are not sent, and enabling them again sends none about the past', async () => {
  const { email, actor } = await provenPerson()
  await remind()
  await updateProfile(deps, actor, { reminder_enabled: false })
  await sendUntil('2026-05-03T14:00:00Z')
  await updateProfile(deps, actor, { reminder_enabled: true })
  await sendUntil('2026-05-04T08:00:00Z')
  expect(await timesOf(email)).toEqual([])
  await sendUntil('2026-05-04T10:00:00Z')
  expect(await timesOf(email)).toEqual(['2026-05-04T09:00:00.000Z'])
  await db.updateTable('user_account').set({ status: 'inactive' }).where('id', '=', actor.userId).execute()
  await sendUntil('2026-05-06T10:00:00Z')
  expect(await timesOf(email)).toHaveLength(1)
})

test('reminders are pushed when that is the method, and mailed when no browser is subscribed', async () => {
  const { email, actor } = await provenPerson()
  await updateProfile(deps, actor, { reminder_method: 'push' })
  await subscribe(actor)
  await sendUntil('2026-05-02T10:00:00Z')
  const pushes = () => db.selectFrom('push').select('id').execute()
  expect([(await pushes()).length, (await mailsTo(email)).length]).toEqual([1, 0])
  await db.updateTable('session').set({ ended_at: deps.now() }).where('user_id', '=', actor.userId).execute()
  await sendUntil('2026-05-03T10:00:00Z')
  expect([(await pushes()).length, (await mailsTo(email)).length]).toEqual([1, 1])
})

test('an unverified address gets no reminder; once verified, from the next hour on', async () => {
  const [byMail, byPush] = [await newPerson(), await newPerson()]
  await updateProfile(deps, byPush.actor, { reminder_method: 'push' })
  await subscribe(byPush.actor)
  const before = (await db.selectFrom('push').select('id').execute()).length
  await sendUntil('2026-05-02T10:00:00Z')
  await db.updateTable('session').set({ ended_at: deps.now() }).where('user_id', '=', byPush.actor.userId).execute()
  await sendUntil('2026-05-03T10:00:00Z')
  expect((await db.selectFrom('push').select('id').execute()).length - before).toBe(1)
  expect([...(await timesOf(byMail.email)), ...(await timesOf(byPush.email))]).toEqual([])
  await verify(byMail.actor.userId)
  await sendUntil('2026-05-04T10:00:00Z')
  expect(await timesOf(byMail.email)).toEqual(['2026-05-04T09:00:00.000Z'])
})

test('a clock that jumps by two minutes in either direction sends one reminder', async () => {
  const { email } = await provenPerson()
  await remind()
  for (const at of ['08:59', '09:01', '08:59', '09:00', '09:02', '09:00']) {
    clock.nowMs = Date.parse(`2026-05-02T${at}:00Z`)
    await remind()
  }
  expect(await timesOf(email)).toHaveLength(1)
  clock.nowMs += DAY_MS
  await remind()
  expect(await timesOf(email)).toHaveLength(2)
})
