import { WEBHOOK_ENDPOINTS_MAX } from '@tapeline/contracts/audit/webhooks'
import type { Event } from '@tapeline/contracts/event'
import { someUser } from '@tapeline/testing/actors'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestWebhooks } from '../../test/webhook-app.fixture.ts'
import { pruneDeliveries } from './deliveries/prune-deliveries.ts'
import { reencryptSecrets } from './endpoints/reencrypt-secrets.ts'
import { createSecretVault } from './secret-vault.ts'

const { db, deps, clock, receiver, call, callWith, create, subscriber, announce, keyCreated, run, deliveries, close } =
  await openTestWebhooks()
afterAll(close)

const DAY_MS = 86_400_000
const INPUT = { name: 'orders', url: 'https://hooks.example.com/in', event_types: ['key.created'] }
const trailOf = async (subject: string) => {
  const rows = await db
    .selectFrom('outbox')
    .select('envelope')
    .where('subject', '=', subject)
    .orderBy('position')
    .execute()
  return rows.map(({ envelope }) => envelope as Event<unknown>)
}

test('the secret is shown once and stored encrypted', async () => {
  const actor = someUser({ tier: 'basic' })
  const { endpoint, secret } = await create(actor)
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const list = await call(actor, 'GET', '')
  expect(list.json().data).toMatchObject({ endpoints: [{ id: endpoint.id, state: 'active' }], is_included: true })
  expect(list.body).not.toContain(secret)
  const rows = JSON.stringify(await db.selectFrom('webhook_endpoint').selectAll().execute())
  expect(rows).not.toContain(secret)
  expect(JSON.stringify(await trailOf(endpoint.id))).not.toContain(secret)
})

test('every change is an event for the audit trail, with before and after', async () => {
  const { actor, id } = await subscriber({ event_types: ['key.created'] })
  await call(actor, 'PUT', `/${id}`, { name: ' reports ', event_types: ['key.revoked'] })
  await call(actor, 'PUT', `/${id}`, { name: 'reports' })
  await call(actor, 'POST', `/${id}/rotate-secret`, {})
  await call(actor, 'DELETE', `/${id}`)
  const events = await trailOf(id)
  expect(events.map(({ type }) => type)).toEqual([
    'audit.webhook-created.v1',
    'audit.webhook-updated.v1',
    'audit.webhook-secret-rotated.v1',
    'audit.webhook-deleted.v1',
  ])
  expect(events[1]).toMatchObject({
    account: actor.userId,
    actorid: actor.userId,
    data: {
      before: { name: 'orders', event_types: ['key.created'] },
      after: { name: 'reports', event_types: ['key.revoked'] },
    },
  })
})

test('without webhooks in the tier nothing can be created or sent, but an endpoint can be paused and deleted', async () => {
  const { actor, id } = await subscriber()
  const free = { ...actor, ...someUser({ userId: actor.userId }) }
  const refused = await Promise.all([
    call(free, 'POST', '', INPUT),
    call(free, 'PUT', `/${id}`, { name: 'x' }),
    call(free, 'PUT', `/${id}`, { name: 'x', state: 'paused' }),
    call(free, 'PUT', `/${id}`, { state: 'active' }),
    call(free, 'POST', `/${id}/rotate-secret`, {}),
    call(free, 'POST', `/${id}/test`),
  ])
  for (const answer of refused) expect(answer.json()).toMatchObject({ code: 'tier.feature_not_included' })
  expect((await call(free, 'GET', '')).json().data).toMatchObject({ endpoints: [{ id }], is_included: false })
  const paused = await call(free, 'PUT', `/${id}`, { state: 'paused' })
  expect([paused.statusCode, paused.json().data]).toMatchObject([200, { state: 'paused' }])
  expect((await trailOf(id)).at(-1)).toMatchObject({
    data: { before: { state: 'active' }, after: { state: 'paused' } },
  })
  expect((await call(free, 'DELETE', `/${id}`)).statusCode).toBe(200)
})

test("another account's endpoint and delivery look like ones that do not exist", async () => {
  const { actor, id } = await subscriber()
  await announce(keyCreated(actor))
  const [delivery] = await deliveries(actor, id)
  const other = someUser({ tier: 'basic' })
  const { endpoint: own } = await create(other)
  const tries = await Promise.all([
    call(other, 'PUT', `/${id}`, { name: 'x' }),
    call(other, 'DELETE', `/${id}`),
    call(other, 'POST', `/${id}/rotate-secret`, {}),
    call(other, 'POST', `/${id}/test`),
    call(other, 'GET', `/${id}/deliveries`),
    call(other, 'GET', `/${id}/deliveries/${delivery?.id}`),
    call(other, 'POST', `/${id}/deliveries/${delivery?.id}/redeliver`),
    call(other, 'POST', `/${id}/redeliver`, { from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' }),
  ])
  for (const answer of tries) expect([answer.statusCode, answer.json().code]).toEqual([404, 'webhook.not_found'])
  const through = await call(other, 'GET', `/${own.id}/deliveries/${delivery?.id}`)
  expect([through.statusCode, through.json().code]).toEqual([404, 'webhook_delivery.not_found'])
  expect((await call(actor, 'GET', '')).json().data.endpoints).toMatchObject([{ id, name: 'orders' }])
})

test('a redelivery of more than 10,000 deliveries answers that more remain', async () => {
  const { actor, id } = await subscriber()
  await announce(keyCreated(actor))
  await sql`update webhook_delivery set state = 'failed' where endpoint_id = ${id}::uuid`.execute(db)
  await sql`
    insert into webhook_delivery select (jsonb_populate_record(one,
      jsonb_build_object('id', uuidv7(), 'event_id', uuidv7(), 'sequence', one.sequence + number))).*
    from webhook_delivery one, generate_series(1, 10000) number where one.endpoint_id = ${id}::uuid`.execute(db)
  const range = { from: '2020-01-01T00:00:00Z', to: '2040-01-01T00:00:00Z' }
  const [first, rest] = [
    await call(actor, 'POST', `/${id}/redeliver`, range),
    await call(actor, 'POST', `/${id}/redeliver`, range),
  ]
  expect([first.json().data, rest.json().data]).toEqual([
    { redelivered: 10_000, has_more: true },
    { redelivered: 1, has_more: false },
  ])
})

test.each(['https://10.0.0.1/', 'http://hooks.example.com/', 'https://user:pass@hooks.example.com/', 'no address'])(
  'the address %s is rejected at creation and at a change',
  async (url) => {
    const { actor, id } = await subscriber()
    for (const answer of [
      await call(actor, 'POST', '', { ...INPUT, url }),
      await call(actor, 'PUT', `/${id}`, { url }),
    ]) {
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({ code: 'webhook.invalid', errors: [{ field: '/url' }] })
    }
  },
)

test('a repeated creation makes no second endpoint and shows no secret; another body is rejected', async () => {
  const actor = someUser({ tier: 'basic' })
  const attempt = (body: object) => callWith({ 'idempotency-key': 'one' })(actor, 'POST', '', body)
  const [first, again, other] = [await attempt(INPUT), await attempt(INPUT), await attempt({ ...INPUT, name: 'b' })]
  expect(first.json().data.secret).toEqual(expect.any(String))
  expect([again.statusCode, again.headers['idempotent-replayed']]).toEqual([201, 'true'])
  expect(again.json().data).toEqual({ endpoint: first.json().data.endpoint })
  expect([other.statusCode, other.json().code]).toEqual([422, 'idempotency_key.reused'])
  clock.nowMs += DAY_MS
  expect((await attempt({ ...INPUT, name: 'b' })).json().data).toHaveProperty('secret')
})

test('an account has at most ten endpoints, also when they are created at once', async () => {
  const actor = someUser({ tier: 'basic' })
  const tries = await Promise.all(
    Array.from({ length: WEBHOOK_ENDPOINTS_MAX + 2 }, () => call(actor, 'POST', '', INPUT)),
  )
  const codes = tries.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)
  expect(codes).toEqual([...Array.from({ length: WEBHOOK_ENDPOINTS_MAX }, () => 201), 409, 409])
})

test('a test event is delivered like any other, at most ten a minute', async () => {
  const { actor, id, path } = await subscriber({ event_types: ['key.revoked'] })
  const sent = await call(actor, 'POST', `/${id}/test`)
  expect([sent.statusCode, sent.json().data]).toMatchObject([202, { type: 'webhook.test', sequence: 1 }])
  expect(receiver.receivedAt(path)).toEqual([])
  expect(await run(id)).toBe(1)
  expect(await deliveries(actor, id)).toMatchObject([{ state: 'delivered', type: 'webhook.test' }])
  for (let n = 1; n < 10; n += 1) await call(actor, 'POST', `/${id}/test`)
  const tooMany = await call(actor, 'POST', `/${id}/test`)
  expect([tooMany.statusCode, tooMany.headers['retry-after']]).toEqual([429, '60'])
  await call(actor, 'PUT', `/${id}`, { state: 'paused' })
  expect((await call(actor, 'POST', `/${id}/test`)).json().code).toBe('webhook.inactive')
})

test('deliveries are paged newest first, also while new ones arrive', async () => {
  const { actor, id } = await subscriber()
  for (const name of ['a', 'b', 'c']) {
    await announce(keyCreated(actor, name))
    clock.nowMs += 1
  }
  const page = async (query: string) => (await call(actor, 'GET', `/${id}/deliveries${query}`)).json().data
  const first = await page('?limit=2')
  await announce(keyCreated(actor, 'd'))
  const second = await page(`?limit=2&cursor=${encodeURIComponent(first.next_cursor)}`)
  const names = [...first.deliveries, ...second.deliveries].map(({ subject }) => subject)
  expect(names).toEqual(['c', 'b', 'a'])
  expect(second.next_cursor).toBeNull()
})

test('the list counts the deliveries of the last 24 hours by hour', async () => {
  const { actor, id } = await subscriber()
  await announce(keyCreated(actor))
  await run(id)
  await announce(keyCreated(actor))
  const [endpoint] = (await call(actor, 'GET', '')).json().data.endpoints
  expect(endpoint.hours).toMatchObject([{ delivered: 1, failed: 0, waiting: 1 }])
})

test('a new key encrypts all secrets again; the endpoints keep signing', async () => {
  const { id, secret } = await subscriber()
  const renewed = createSecretVault('another-key-of-webhook-secrets-00,a-key-of-webhook-secrets-for-tests')
  expect(await reencryptSecrets({ db, vault: renewed })).toBeGreaterThan(0)
  expect(await reencryptSecrets({ db, vault: renewed })).toBe(0)
  const read = () =>
    db.selectFrom('webhook_endpoint').select('encrypted_secret').where('id', '=', id).executeTakeFirstOrThrow()
  const { encrypted_secret } = await read()
  expect(renewed.isCurrent(encrypted_secret)).toBe(true)
  expect(renewed.decrypt(encrypted_secret)).toBe(secret)
  // The secret is encrypted with the new key, those that it replaced with an old key.
  const older = [deps.vault.encrypt(secret), null]
  for (const [previous_encrypted_secret = null, oldest_encrypted_secret = null] of [older, older.toReversed()]) {
    const replaced = { previous_encrypted_secret, oldest_encrypted_secret }
    await db.updateTable('webhook_endpoint').set(replaced).where('id', '=', id).execute()
    expect(await reencryptSecrets({ db, vault: renewed })).toBe(1)
  }
  const back = createSecretVault('a-key-of-webhook-secrets-for-tests,another-key-of-webhook-secrets-00')
  await reencryptSecrets({ db, vault: back })
  expect(deps.vault.decrypt((await read()).encrypted_secret)).toBe(secret)
})

test('secrets whose key is missing are reported and do not keep the others from being encrypted again', async () => {
  const [lost, { id }] = [await subscriber(), await subscriber()]
  const encrypted_secret = createSecretVault('a-key-that-has-been-lost-for-ever-00').encrypt('whsec_lost')
  await db.updateTable('webhook_endpoint').set({ encrypted_secret }).where('id', '=', lost.id).execute()
  const renewed = createSecretVault('another-key-of-webhook-secrets-00,a-key-of-webhook-secrets-for-tests')
  await expect(reencryptSecrets({ db, vault: renewed })).rejects.toThrow(
    `webhook secrets could not be encrypted again; endpoints (1): ${lost.id}`,
  )
  const rows = await db.selectFrom('webhook_endpoint').selectAll().execute()
  expect(rows.filter((row) => !renewed.isCurrent(row.encrypted_secret)).map((row) => row.id)).toEqual([lost.id])
  expect(rows.map((row) => row.id)).toContain(id)
  const back = createSecretVault('a-key-of-webhook-secrets-for-tests,another-key-of-webhook-secrets-00')
  await call(lost.actor, 'DELETE', `/${lost.id}`)
  await reencryptSecrets({ db, vault: back })
})

test('deliveries are deleted after 30 days', async () => {
  const { actor, id } = await subscriber()
  await announce(keyCreated(actor))
  clock.nowMs += 30 * DAY_MS - 1
  await pruneDeliveries(deps)
  expect(await deliveries(actor, id)).toHaveLength(1)
  clock.nowMs += 2
  await pruneDeliveries(deps)
  expect(await deliveries(actor, id)).toEqual([])
})
