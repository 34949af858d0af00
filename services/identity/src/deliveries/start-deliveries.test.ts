import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { notificationRaised } from '@tapeline/contracts/audit/events'
import { newEvent } from '@tapeline/contracts/event'
import { startJobs } from '@tapeline/service/jobs'
import { deliverTwice } from '@tapeline/testing/kafka/deliver-twice'
import { RedisServer } from '@tapeline/testing/redis/redis-server'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, expect, test } from 'vitest'
import { loadConfig } from '../config.ts'
import { testIdentity } from '../../test/identity.fixture.ts'
import { recordMail } from '../mail/record-mail.ts'
import { startSmtpServer } from '../../test/smtp-server.fixture.ts'
import { someProfile } from '../../test/notice-deps.fixture.ts'
import { USED_UP } from '../../test/notices.fixture.ts'
import { startPushService } from '../../test/push-service.fixture.ts'
import { subscribeToPush } from '../push/subscribe-to-push.ts'
import { sendReminders } from '../reminders/send-reminders.ts'
import { startDeliveries } from './start-deliveries.ts'
import { subscriptions } from '../subscriptions.ts'

const WITHIN_MS = 60_000
const FOUR_WAITS = { timeout: 5 * WITHIN_MS }
const DAY_MS = 86_400_000
const dir = mkdtempSync(join(tmpdir(), 'tapeline-deliveries-'))
const { db, deps: testDeps, clock, newPerson, verify, close } = await testIdentity()
const [redis, smtp, pushService] = await Promise.all([RedisServer.start(dir), startSmtpServer(), startPushService()])
const deps = { ...testDeps, fetchProfile: async () => someProfile({ notificationFrequency: 'immediate' }) }
const config = loadConfig({
  DATABASE_URL: 'postgres://not.used',
  REDIS_URL: redis.url,
  KAFKA_BROKERS: 'not.used:9092',
  INTERNAL_KEYS: `gateway>identity=${Buffer.alloc(32).toString('base64url')}`,
  IDENTITY_SECRET: 'x'.repeat(43),
  SMTP_URL: smtp.url,
})
const start = () => startDeliveries(deps, { config, redisUrl: redis.url, queue: 'test', logger: silentLogger })
/** As in main.ts, but every second instead of every five minutes. */
const remind = { name: 'send-reminders', cron: '* * * * * *', run: () => sendReminders(deps, silentLogger) }
const startReminders = () =>
  startJobs({ redisUrl: redis.url, queue: 'test', jobs: [remind], logger: silentLogger, pollIntervalMs: 200 })
const running = [start(), startReminders()]
afterAll(async () => {
  await Promise.all(running.map((one) => one.stop()))
  await redis.stop()
  await Promise.all([smtp.stop(), pushService.stop()])
  await close()
  rmSync(dir, { recursive: true, force: true })
})

/** A user who stays signed in and whose sign-up mail has been delivered. */
async function newUser() {
  const { email, actor } = await newPerson()
  await waitUntil('the sign-up’s mail has arrived', () => smtp.receivedFor(email).length === 1, WITHIN_MS)
  await verify(actor.userId)
  const browser = crypto.randomUUID()
  await subscribeToPush(deps, actor, pushService.newBrowser(browser))
  const expires_at = new Date(clock.nowMs + 30 * DAY_MS)
  await db.updateTable('session').set({ expires_at }).where('user_id', '=', actor.userId).execute()
  return { email, userId: actor.userId, browser }
}

/** Records a mail of identity, and a notice of audit that becomes a mail and a push. */
async function notify({ userId, email }: { userId: string; email: string }): Promise<void> {
  await recordMail(db, deps, { userId, recipient: email, mail: { kind: 'password-changed' } })
  const data = { notification_id: deps.newId(), account_id: userId, title: 'Used', text: 'up', ...USED_UP }
  const about = { id: deps.newId(), time: deps.now(), subject: userId, account: userId }
  const actor = { kind: 'service', service: 'audit' } as const
  await deliverTwice(db, subscriptions(deps), newEvent(notificationRaised, { ...about, actor, data }))
}

async function isNothingWaiting(): Promise<boolean> {
  const waiting = await Promise.all([
    db.selectFrom('mail').select('id').where('sent_at', 'is', null).execute(),
    db.selectFrom('push').select('id').where('sent_at', 'is', null).execute(),
    db.selectFrom('notice').select('id').where('settled_at', 'is', null).execute(),
  ])
  return waiting.every((rows) => rows.length === 0)
}

const isPlanned = async (userId: string) =>
  (await db.selectFrom('reminder').select('due_at').where('user_id', '=', userId).executeTakeFirst())?.due_at

test('mails, notices and pushes are sent automatically, once each, also from two processes', async () => {
  running.push(start())
  const users = await Promise.all([newUser(), newUser(), newUser()])
  await Promise.all(users.map(notify))
  await waitUntil('all events are published', isNothingWaiting, WITHIN_MS)
  for (const { email, browser } of users) {
    const ids = smtp.receivedFor(email).map(({ messageId }) => messageId)
    expect([ids.length, new Set(ids).size, pushService.receivedBy(browser).length]).toEqual([3, 3, 1])
  }
})

test(
  'deliveries and schedules missed while Redis was unavailable are made once when it is back',
  FOUR_WAITS,
  async () => {
    const user = await newUser()
    await waitUntil('a reminder is scheduled', () => isPlanned(user.userId), WITHIN_MS)
    await redis.kill()
    await notify(user)
    clock.nowMs += DAY_MS
    expect(smtp.receivedFor(user.email)).toHaveLength(1)
    expect(await isNothingWaiting()).toBe(false)
    // Redis restarts without data: no queue, no schedule.
    await redis.start()
    await waitUntil('mail, notice and reminder have arrived', () => smtp.receivedFor(user.email).length >= 4, WITHIN_MS)
    await waitUntil('all events are published', isNothingWaiting, WITHIN_MS)
    const mails = smtp.receivedFor(user.email)
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(4)
    expect(mails).toHaveLength(4)
    expect(pushService.receivedBy(user.browser)).toHaveLength(1)
  },
)
