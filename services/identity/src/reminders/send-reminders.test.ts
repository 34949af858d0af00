import type { AccountUsage } from '@tapeline/contracts/audit/account-usage'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { identityUnderTest } from '../../test/identity.fixture.ts'
import type { OutgoingMail } from '../mail/mailer.ts'
import { sendMail } from '../mail/send-mail.ts'
import { someProfile } from '../../test/notice-deps.fixture.ts'
import { subscribeToPush } from '../push/subscribe-to-push.ts'
import { updateProfile } from '../users/update-profile.ts'
import { forgetPlan } from './reminder-queries.ts'
import { sendReminders } from './send-reminders.ts'

const { db, deps: away, clock, newPerson, provenPerson, verify, mailsTo, close } = await identityUnderTest()
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
const asked: { from: string; to: string }[] = []
let profile = someProfile()
let isAuditAway = false
const deps = {
  ...away,
  askProfile: async () => profile,
  findProfile: async () => profile,
  askUsage: async (_accountId: string, { from, to }: { from: Date; to: Date }) => {
    if (isAuditAway) throw new Error('audit is away')
    asked.push({ from: from.toISOString(), to: to.toISOString() })
    return BUSY_DAY
  },
  askExpiringKeys: async () => ({
    keys: [{ name: 'ci <b>', prefix: 'tl_live_abcdefghijkl', expires_at: '2026-05-07T22:00:00.000Z' }],
  }),
}
const look = () => sendReminders(deps, silentLogger)

/** Until the clock shows `until`, every half hour: some people's hours begin on one. */
async function lookUntil(until: string): Promise<void> {
  for (; clock.nowMs <= Date.parse(until); clock.nowMs += 30 * MINUTE_MS) await look()
}

beforeEach(async () => {
  await db.updateTable('user_account').set({ reminder_enabled: false }).execute()
  await look()
  profile = someProfile()
  isAuditAway = false
  asked.length = 0
  clock.nowMs = Date.parse('2026-05-01T12:00:00Z')
})

async function letters(email: string): Promise<OutgoingMail[]> {
  const found: OutgoingMail[] = []
  for (const { id } of await mailsTo(email)) {
    await sendMail(deps, async (mail) => void found.push(mail), id)
  }
  return found
}
const timesOf = async (email: string) => (await mailsTo(email)).map(({ created_at }) => created_at.toISOString())

test('every day at the person’s hour: yesterday’s numbers, in their language, from midnight to midnight', async () => {
  profile = someProfile({ language: 'fr' }, 'Asia/Kolkata')
  const { email } = await provenPerson()
  await lookUntil('2026-05-04T00:00:00Z')
  expect(await timesOf(email)).toEqual(['2026-05-02T03:30:00.000Z', '2026-05-03T03:30:00.000Z'])
  expect(asked).toEqual([
    { from: '2026-04-30T18:30:00.000Z', to: '2026-05-01T18:30:00.000Z' },
    { from: '2026-05-01T18:30:00.000Z', to: '2026-05-02T18:30:00.000Z' },
  ])
  const [letter] = await letters(email)
  expect(letter?.subject).toBe('Votre compte, le vendredi 1 mai 2026')
  const text = letter?.text.replaceAll(/[\u202f\u00a0]/g, ' ') ?? ''
  expect(text).toContain('Requêtes : 12 345. Erreurs : 300. Refusées par les limites : 45.')
  expect(text).toContain('- Limite quotidienne : 12 999 sur 20 000 (64 %).')
  expect(text).toContain('- Limite mensuelle : 99 000 sur 500 000 (19 %).')
  expect(text).toMatch(/- La clé d’API « ci <b> » expire le 8 mai 2026 à 03:30\./)
  expect(letter?.html).toContain('ci &lt;b&gt;')
})

test('two processes at once remind once', async () => {
  const { email } = await provenPerson()
  await look()
  clock.nowMs = Date.parse('2026-05-02T09:00:00Z')
  // Each has found the person due before any of them goes on.
  const everybodyAsked = Promise.withResolvers<void>()
  let asking = 0
  const askUsage = async () => {
    asking += 1
    if (asking === PROCESSES) everybodyAsked.resolve()
    await everybodyAsked.promise
    return BUSY_DAY
  }
  const processes = Array.from({ length: PROCESSES }, () => sendReminders({ ...deps, askUsage }, silentLogger))
  await Promise.all(processes)
  await look()
  expect(await timesOf(email)).toEqual(['2026-05-02T09:00:00.000Z'])
})

test('while audit is away nobody is reminded; when it is back everybody is, once', async () => {
  const people = [await provenPerson(), await provenPerson()]
  await look()
  isAuditAway = true
  clock.nowMs = Date.parse('2026-05-02T09:00:00Z')
  expect(await look()).toEqual({ reminded: 0, failed: people.length })
  await lookUntil('2026-05-02T16:00:00Z')
  for (const { email } of people) expect(await timesOf(email)).toEqual([])
  isAuditAway = false
  await lookUntil('2026-05-02T23:00:00Z')
  for (const { email } of people) expect(await timesOf(email)).toHaveLength(1)
  expect(asked[0]).toEqual({ from: '2026-05-01T00:00:00.000Z', to: '2026-05-02T00:00:00.000Z' })
})

test('a platform that was off over the hour makes up for it; days that it was off are not told one by one', async () => {
  const { email } = await provenPerson()
  await look()
  clock.nowMs = Date.parse('2026-05-05T11:00:00Z')
  await lookUntil('2026-05-06T10:00:00Z')
  expect(await timesOf(email)).toEqual(['2026-05-05T11:00:00.000Z', '2026-05-06T09:00:00.000Z'])
})

test('another hour holds from the next time it comes, and no day is told of twice', async () => {
  const { email, actor } = await provenPerson()
  await lookUntil('2026-05-02T09:30:00Z')
  await updateProfile(deps, actor, { reminder_time: 10 })
  await lookUntil('2026-05-03T09:30:00Z')
  expect(await timesOf(email)).toEqual(['2026-05-02T09:00:00.000Z'])
  await lookUntil('2026-05-03T12:00:00Z')
  await updateProfile(deps, actor, { reminder_time: 8 })
  await lookUntil('2026-05-04T12:00:00Z')
  expect((await timesOf(email)).slice(1)).toEqual(['2026-05-03T10:00:00.000Z', '2026-05-04T08:00:00.000Z'])
})

test('another time zone holds from the next time its hour comes', async () => {
  const { email, actor } = await provenPerson()
  await lookUntil('2026-05-02T12:00:00Z')
  profile = someProfile({}, 'America/Los_Angeles')
  await db.transaction().execute((trx) => forgetPlan(trx, actor.userId))
  await lookUntil('2026-05-04T12:00:00Z')
  expect(await timesOf(email)).toEqual(['2026-05-02T09:00:00.000Z', '2026-05-03T16:00:00.000Z'])
})

test('who does not want to be reminded is not, and is not told of the past on coming back', async () => {
  const { email, actor } = await provenPerson()
  await look()
  await updateProfile(deps, actor, { reminder_enabled: false })
  await lookUntil('2026-05-03T14:00:00Z')
  await updateProfile(deps, actor, { reminder_enabled: true })
  await lookUntil('2026-05-04T08:00:00Z')
  expect(await timesOf(email)).toEqual([])
  await lookUntil('2026-05-04T10:00:00Z')
  expect(await timesOf(email)).toEqual(['2026-05-04T09:00:00.000Z'])
  await db.updateTable('user_account').set({ status: 'inactive' }).where('id', '=', actor.userId).execute()
  await lookUntil('2026-05-06T10:00:00Z')
  expect(await timesOf(email)).toHaveLength(1)
})

test('by push when that is the method; by mail when no browser is left to push to', async () => {
  const { email, actor } = await provenPerson()
  await updateProfile(deps, actor, { reminder_method: 'push' })
  const endpoint = `https://push.example.com/${actor.userId}`
  await subscribeToPush(deps, actor, { endpoint, keys: KEYS })
  await lookUntil('2026-05-02T10:00:00Z')
  const pushes = () => db.selectFrom('push').select('id').execute()
  expect([(await pushes()).length, (await mailsTo(email)).length]).toEqual([1, 0])
  await db.updateTable('session').set({ ended_at: deps.now() }).where('user_id', '=', actor.userId).execute()
  await lookUntil('2026-05-03T10:00:00Z')
  expect([(await pushes()).length, (await mailsTo(email)).length]).toEqual([1, 1])
})

test('an address that nobody has proven is not written to; when it is proven, from the next hour on', async () => {
  const [byMail, byPush] = [await newPerson(), await newPerson()]
  await updateProfile(deps, byPush.actor, { reminder_method: 'push' })
  const endpoint = `https://push.example.com/${byPush.actor.userId}`
  await subscribeToPush(deps, byPush.actor, { endpoint, keys: KEYS })
  const before = (await db.selectFrom('push').select('id').execute()).length
  await lookUntil('2026-05-02T10:00:00Z')
  await db.updateTable('session').set({ ended_at: deps.now() }).where('user_id', '=', byPush.actor.userId).execute()
  await lookUntil('2026-05-03T10:00:00Z')
  expect((await db.selectFrom('push').select('id').execute()).length - before).toBe(1)
  expect([...(await timesOf(byMail.email)), ...(await timesOf(byPush.email))]).toEqual([])
  await verify(byMail.actor.userId)
  await lookUntil('2026-05-04T10:00:00Z')
  expect(await timesOf(byMail.email)).toEqual(['2026-05-04T09:00:00.000Z'])
})

test('a clock that jumps by two minutes, forth or back, reminds once', async () => {
  const { email } = await provenPerson()
  await look()
  for (const at of ['08:59', '09:01', '08:59', '09:00', '09:02', '09:00']) {
    clock.nowMs = Date.parse(`2026-05-02T${at}:00Z`)
    await look()
  }
  expect(await timesOf(email)).toHaveLength(1)
  clock.nowMs += DAY_MS
  await look()
  expect(await timesOf(email)).toHaveLength(2)
})
