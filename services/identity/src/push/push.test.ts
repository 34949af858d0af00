import type { UserActor } from '@tapeline/contracts/actor'
import type { PushMessage } from '@tapeline/contracts/identity/push'
import { someUser } from '@tapeline/testing/actors'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { afterAll, expect, test } from 'vitest'
import { createApp } from '../app.ts'
import { testIdentity } from '../../test/identity.fixture.ts'
import { logOut } from '../sessions/log-out.ts'
import { createSigningKeys } from '../sessions/signing-keys.ts'
import { createPushPoster } from './push-poster.ts'
import { listWaitingPushes } from './push-queries.ts'
import { startPushService } from '../../test/push-service.fixture.ts'
import { recordPushes } from './record-pushes.ts'
import { sendPush } from './send-push.ts'
import { BROWSERS_MAX } from './subscribe-to-push.ts'
import { createVapidKeys } from './vapid-keys.ts'

const { db, deps, clock, newPerson, eventsOf, close } = await testIdentity()
const pushService = await startPushService()
const poster = createPushPoster({
  vapidKeys: deps.vapidKeys,
  subject: 'mailto:no-reply@tapeline.example',
  rules: deps.pushRules,
})
const signingKeys = createSigningKeys({ db, now: deps.now, secret: deps.secret })
const options = { logger: silentLogger, internalKeys: testInternalKeys, checks: {}, signingKeys }
const app = await createApp({ ...deps, now: () => new Date() }, options)
afterAll(async () => {
  await app.close()
  poster.close()
  await pushService.stop()
  await close()
})

const URL_OF_SUBSCRIPTIONS = '/api/v1/internal/user/push-subscriptions'
const NEWS: PushMessage = { title: 'News – nouvelles', body: 'üñí', path: '/dashboard/metrics', tag: 'one', lang: 'en' }

const call = (actor: UserActor, method: 'GET' | 'POST' | 'DELETE', url: string, body?: unknown) =>
  callAs(app, 'identity', actor, { method, url, ...(body === undefined ? {} : { body }) })

async function subscribed(name = crypto.randomUUID(), person?: { actor: UserActor }) {
  const { actor } = person ?? (await newPerson())
  const subscription = pushService.newBrowser(name)
  const answer = await call(actor, 'POST', URL_OF_SUBSCRIPTIONS, subscription)
  expect(answer.statusCode).toBe(201)
  return { actor, subscription, name, id: String(answer.json().data.id) }
}

const notify = (actor: UserActor, message = NEWS) =>
  db.transaction().execute((trx) => recordPushes(trx, deps, actor.userId, message))

/** Sends all waiting pushes, as the queue does. */
async function sendAll(): Promise<string[]> {
  const outcomes: string[] = []
  for (const id of await listWaitingPushes(db, 100)) outcomes.push(await sendPush(deps, poster.post, id))
  return outcomes
}

const browsersOf = (actor: UserActor) =>
  db.selectFrom('push_subscription').select('id').where('user_id', '=', actor.userId).execute()

test('a subscribed browser receives a push once, encrypted for it and signed with the key of its subscription', async () => {
  const { actor, name } = await subscribed()
  expect(await notify(actor)).toBe(1)
  const [id = ''] = await listWaitingPushes(db, 1)
  expect(await sendPush(deps, poster.post, id)).toBe('sent')
  expect(await sendPush(deps, poster.post, id)).toBe('done before')
  const [push, ...more] = pushService.receivedBy(name)
  expect(more).toEqual([])
  expect(push?.message).toEqual(NEWS)
  expect(push?.headers).toMatchObject({ ttl: '86400', topic: id.replaceAll('-', '') })
  const { publicKey } = (await call(actor, 'GET', '/api/v1/internal/user/push-key')).json().data
  expect(push?.signer).toBe(publicKey)
})

test('subscribing again changes nothing; unsubscribing removes waiting pushes', async () => {
  const { actor, subscription, name, id } = await subscribed()
  const again = await call(actor, 'POST', URL_OF_SUBSCRIPTIONS, subscription)
  expect(again.json().data).toEqual({ id })
  await notify(actor)
  const remove = () => call(actor, 'DELETE', URL_OF_SUBSCRIPTIONS, { endpoint: subscription.endpoint })
  expect((await remove()).json().data).toEqual({ removed: 1 })
  expect((await remove()).json().data).toEqual({ removed: 0 })
  await sendAll()
  expect(pushService.receivedBy(name)).toEqual([])
  const types = (await eventsOf(actor.userId)).map(({ type }) => type).filter((type) => type.includes('push'))
  expect(types).toEqual(['identity.push-subscribed.v1', 'identity.push-unsubscribed.v1'])
})

test('a subscription that has ended is deleted; a busy push service is retried', async () => {
  const expired = await subscribed()
  const phone = await subscribed(undefined, expired)
  pushService.answerWith(expired.name, 410)
  pushService.answerWith(phone.name, 503, 201)
  expect(await notify(expired.actor)).toBe(2)
  const outcomes = await Promise.allSettled(
    (await listWaitingPushes(db, 10)).map((id) => sendPush(deps, poster.post, id)),
  )
  expect(outcomes.map((one) => (one.status === 'fulfilled' ? one.value : 'failed')).toSorted()).toEqual([
    'failed',
    'gone',
  ])
  expect(await browsersOf(expired.actor)).toEqual([{ id: phone.id }])
  expect(await sendAll()).toEqual(['sent'])
  expect(pushService.receivedBy(phone.name)).toHaveLength(1)
  expect((await eventsOf(expired.actor.userId)).at(-1)).toMatchObject({
    type: 'identity.push-unsubscribed.v1',
    data: { subscription_id: expired.id, reason: 'gone' },
  })
})

test('a rejected push is stored with the reason and not retried; redirects are not followed', async () => {
  const { actor, name } = await subscribed()
  for (const status of [403, 302]) {
    pushService.answerWith(name, status)
    await notify(actor)
    expect(await sendAll()).toEqual(['refused'])
  }
  const failures = await db
    .selectFrom('push')
    .select('failure')
    .where('failed_at', 'is not', null)
    .orderBy('id')
    .execute()
  expect(failures.map(({ failure }) => failure)).toEqual([
    'the push service returned 403',
    'the push service returned 302',
  ])
  expect(await sendAll()).toEqual([])
})

test('after sign-out a browser gets no pushes, including waiting ones', async () => {
  const { actor, name } = await subscribed()
  await notify(actor)
  await logOut(deps, actor)
  expect(await sendAll()).toEqual(['gone'])
  expect(await notify(actor)).toBe(0)
  expect(pushService.receivedBy(name)).toEqual([])
})

test('when its session has expired a browser gets no pushes, including waiting ones', async () => {
  const { actor, name } = await subscribed()
  await notify(actor)
  clock.nowMs += 12 * 3_600_000
  expect(await notify(actor)).toBe(0)
  expect(await sendAll()).toEqual(['gone'])
  expect(pushService.receivedBy(name)).toEqual([])
  expect(await browsersOf(actor)).toEqual([])
})

test('after another user signs in, a browser gets no pushes for the previous one', async () => {
  const first = await subscribed()
  await notify(first.actor)
  const second = await newPerson()
  expect((await call(second.actor, 'POST', URL_OF_SUBSCRIPTIONS, first.subscription)).statusCode).toBe(201)
  await notify(second.actor, { ...NEWS, title: 'for the second' })
  await sendAll()
  expect(pushService.receivedBy(first.name).map(({ message }) => message.title)).toEqual(['for the second'])
})

test('the number of browsers per user is bounded: the oldest one is replaced', async () => {
  const first = await subscribed()
  for (let n = 0; n < BROWSERS_MAX; n += 1) await subscribed(undefined, first)
  const remaining = await browsersOf(first.actor)
  expect(remaining).toHaveLength(BROWSERS_MAX)
  expect(remaining).not.toContainEqual({ id: first.id })
})

const keys = pushService.newBrowser('unused').keys
const foreignPoint = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url')
test.each([
  ['/endpoint', { endpoint: 'https://10.0.0.1/push', keys }],
  ['/endpoint', { endpoint: 'https://169.254.169.254/latest', keys }],
  ['/endpoint', { endpoint: 'http://push.example.com/abc', keys }],
  ['/endpoint', { endpoint: `https://push.example.com/${'x'.repeat(1_000)}`, keys }],
  ['/keys', { endpoint: 'https://push.example.com/abc' }],
  ['/keys/p256dh', { endpoint: 'https://push.example.com/abc', keys: { ...keys, p256dh: 'short' } }],
  ['/keys/p256dh', { endpoint: 'https://push.example.com/abc', keys: { ...keys, p256dh: foreignPoint } }],
  ['/keys/auth', { endpoint: 'https://push.example.com/abc', keys: { ...keys, auth: 'short' } }],
  ['/user_id', { endpoint: 'https://push.example.com/abc', keys, user_id: crypto.randomUUID() }],
])('an invalid subscription is rejected with %s', async (field, body) => {
  const { actor } = await newPerson()
  const refused = await call(actor, 'POST', URL_OF_SUBSCRIPTIONS, body)
  expect(refused.statusCode).toBe(400)
  expect(refused.json()).toMatchObject({ errors: [{ field }] })
  expect(await browsersOf(actor)).toEqual([])
})

test('a name that resolves to a private network is not connected to, even if it was public before', async () => {
  const strict = createPushPoster({
    vapidKeys: deps.vapidKeys,
    subject: 'mailto:no-reply@tapeline.example',
    rules: { allowsLoopback: false },
  })
  const name = crypto.randomUUID()
  const subscription = pushService.newBrowser(name)
  const { port } = new URL(pushService.origin)
  const push = { text: JSON.stringify(NEWS), topic: 'one' }
  for (const endpoint of [subscription.endpoint, `https://localhost:${port}/${name}`]) {
    expect(await strict.post({ ...push, subscription: { ...subscription, endpoint } })).toEqual({ is: 'gone' })
  }
  strict.close()
  expect(pushService.receivedBy(name)).toEqual([])
})

test('every process signs with the same key, generated once and stored encrypted', async () => {
  const make = (secret = 'another secret, as long as it needs to be!!') =>
    createVapidKeys({ db, now: deps.now, secret, configured: undefined })()
  await db.deleteFrom('vapid_key').execute()
  const [one, other] = await Promise.all([make(), make()])
  expect(one).toEqual(other)
  const row = await db.selectFrom('vapid_key').selectAll().executeTakeFirstOrThrow()
  expect(row.sealed_private_key.toString('latin1')).not.toContain(one.privateKey)
  await expect(make('not the secret that it was sealed with, no')).rejects.toThrow()
})

test('an API key cannot subscribe', async () => {
  const byKey = someUser({ keyId: 'some-key' })
  expect((await call(byKey, 'POST', URL_OF_SUBSCRIPTIONS, pushService.newBrowser('of-a-key'))).statusCode).toBe(403)
})
