import type { UserActor } from '@tapeline/contracts/actor'
import { apiKeyCreated, apiKeyRegenerated, apiKeyRevoked, apiKeyUpdated } from '@tapeline/contracts/api-key/events'
import type { TrailPage } from '@tapeline/contracts/audit/trail'
import { tiersChanged } from '@tapeline/contracts/config/events'
import { type Event, newEvent } from '@tapeline/contracts/event'
import { userSignedIn } from '@tapeline/contracts/identity/events'
import { someUser } from '@tapeline/testing/actors'
import { deliverTwice } from '@tapeline/testing/kafka/deliver-twice'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import { domainSubscriptions } from '../subscriptions.ts'
import { recordInTrail, trailFault } from './record-in-trail.ts'
import { verifyTrail } from './verify-trail.ts'

const { db, deps, ago, get, close } = await openTestApp('2026-03-10T12:34:56.789Z')
afterAll(close)

const listening = domainSubscriptions(deps)
const keyFact = (actor: UserActor) => ({
  key_id: 'key-1',
  kid: 'k1',
  account_id: actor.userId,
  name: 'ci',
  version: 1,
})
const about = (actor: UserActor, minutes: number) => ({
  id: deps.newId(),
  time: ago(minutes),
  subject: 'key-1',
  account: actor.userId,
  actor,
  network: '192.0.2.0/24',
})
const deliver = (event: Event<unknown>) => deliverTwice(db, listening, event)

async function trail(actor: UserActor, query = ''): Promise<TrailPage> {
  const answer = await get(actor, `audit-trail?${query}`)
  expect(answer.json()).toMatchObject({ success: true })
  return answer.json().data
}

test('an event delivered twice is one entry: who, from where, before and after', async () => {
  const actor = someUser()
  await deliver(newEvent(apiKeyCreated, { ...about(actor, 3), data: keyFact(actor) }))
  const change = { before: { name: 'old' }, after: { name: 'ci' } }
  await deliver(newEvent(apiKeyUpdated, { ...about(actor, 2), data: { ...keyFact(actor), ...change } }))
  const { entries, next_cursor } = await trail(actor)
  expect(next_cursor).toBeNull()
  expect(entries).toMatchObject([
    {
      type: 'api-key.updated.v1',
      subject: 'key-1',
      time: ago(2).toISOString(),
      actor: { kind: 'user', id: actor.userId },
      network: '192.0.2.0/24',
      target: { type: 'api_key', id: 'key-1', name: 'ci' },
      ...change,
      changes: [{ field: 'name', before: 'old', after: 'ci' }],
      reason: null,
      details: keyFact(actor),
    },
    { type: 'api-key.created.v1', before: null, after: null, details: keyFact(actor) },
  ])
  expect(await verifyTrail(db, actor.userId)).toEqual({ isRight: true, entries: 2, chains: 1, broken: [] })
})

test('an entry names its key and each nested field that changed', async () => {
  const actor = someUser()
  const limits = (minute: number) => ({ rate_limits: { requestsPerMinute: minute, burstLimit: 5 } })
  const change = { before: limits(10), after: { ...limits(20), networks: ['192.0.2.0/24'] } }
  await deliver(newEvent(apiKeyUpdated, { ...about(actor, 2), data: { ...keyFact(actor), ...change } }))
  const secrets = { replaced_kid: 'k0', kid: 'k1' }
  await deliver(newEvent(apiKeyRegenerated, { ...about(actor, 1), data: { ...keyFact(actor), ...secrets } }))
  const data = { user_id: actor.userId, session_id: 'session-1', device: 'curl', is_new_device: false }
  await deliver(newEvent(userSignedIn, { ...about(actor, 0), subject: actor.userId, data }))
  const { entries } = await trail(actor)
  expect(entries.map(({ target }) => target)).toEqual([
    { type: 'session', id: 'session-1', name: null },
    { type: 'api_key', id: 'key-1', name: 'ci' },
    { type: 'api_key', id: 'key-1', name: 'ci' },
  ])
  expect(entries.map(({ changes }) => changes)).toEqual([
    [],
    [{ field: 'kid', before: 'k0', after: 'k1' }],
    [
      { field: 'rate_limits.requestsPerMinute', before: 10, after: 20 },
      { field: 'networks', before: null, after: ['192.0.2.0/24'] },
    ],
  ])
})

test('entries cannot be changed or deleted, and tampering is detected', async () => {
  const actor = someUser()
  for (const minutes of [3, 2, 1]) {
    await deliver(newEvent(apiKeyCreated, { ...about(actor, minutes), data: keyFact(actor) }))
  }
  const own = sql`account_id = ${actor.userId}::uuid`
  const attempts = [
    sql`update audit_trail set actor_id = 'forged' where ${own}`,
    sql`delete from audit_trail where ${own}`,
    sql`truncate audit_trail`,
  ]
  for (const attempt of attempts) await expect(attempt.execute(db)).rejects.toThrow('append-only')
  // A superuser can bypass the trigger: then the chain is broken.
  const tamper = async (statement: ReturnType<typeof sql>) => {
    await db
      .transaction()
      .execute(async (trx) => {
        await sql`alter table audit_trail disable trigger audit_trail_is_append_only`.execute(trx)
        await statement.execute(trx)
        expect(await verifyTrail(trx, actor.userId)).toMatchObject({ isRight: false, broken: [expect.any(String)] })
        throw new Error('undo')
      })
      .catch((error: unknown) => {
        if (!(error instanceof Error) || error.message !== 'undo') throw error
      })
  }
  await tamper(sql`update audit_trail set network = null where ${own} and time = ${ago(2).toISOString()}`)
  await tamper(sql`delete from audit_trail where ${own} and time = ${ago(2).toISOString()}`)
  await tamper(sql`delete from audit_trail where ${own} and time = ${ago(1).toISOString()}`)
  expect(await verifyTrail(db, actor.userId)).toMatchObject({ isRight: true, entries: 3 })
})

test('pages and filters cover only the caller’s account', async () => {
  const actor = someUser()
  const signIn = (minutes: number) => {
    const data = { user_id: actor.userId, session_id: crypto.randomUUID(), device: 'curl', is_new_device: false }
    return newEvent(userSignedIn, { ...about(actor, minutes), subject: actor.userId, data })
  }
  for (const minutes of [50, 40, 30, 20, 10]) await deliver(signIn(minutes))
  await deliver(newEvent(apiKeyRevoked, { ...about(actor, 15), data: keyFact(actor) }))
  const first = await trail(actor, 'limit=4')
  const second = await trail(actor, `limit=4&cursor=${first.next_cursor}`)
  expect([...first.entries, ...second.entries].map(({ time }) => time)).toEqual(
    [10, 15, 20, 30, 40, 50].map((minutes) => ago(minutes).toISOString()),
  )
  expect(second.next_cursor).toBeNull()
  const count = async (query: string) => (await trail(actor, query)).entries.length
  expect(await count('type=api-key')).toBe(1)
  expect(await count('type=identity.user-signed-in')).toBe(5)
  expect(await count('type=identity.user')).toBe(0)
  expect(await count('subject=key-1')).toBe(1)
  expect(await count(`actor=${crypto.randomUUID()}`)).toBe(0)
  expect(await count(`from=${ago(20).toISOString()}&to=${ago(10).toISOString()}`)).toBe(2)
  expect((await trail(someUser())).entries).toEqual([])
})

test('another account’s trail is readable by admins only; for other callers the account does not exist', async () => {
  const owner = someUser()
  await deliver(newEvent(apiKeyCreated, { ...about(owner, 3), data: keyFact(owner) }))
  await deliver(
    newEvent(tiersChanged, {
      ...about(owner, 2),
      account: null,
      subject: 'tiers',
      data: { version: 2, before: {}, after: {}, reason: null },
    }),
  )
  const admin = someUser({ role: 'admin' })
  expect((await trail(admin, `account=${owner.userId}`)).entries).toHaveLength(1)
  expect((await trail(admin, 'account=platform')).entries).toMatchObject([{ type: 'config.tiers-changed.v2' }])
  expect((await trail(owner, `account=${owner.userId}`)).entries).toHaveLength(1)
  for (const actor of [someUser(), someUser({ role: 'tester' })]) {
    for (const account of [owner.userId, crypto.randomUUID(), 'platform']) {
      const answer = await get(actor, `audit-trail?account=${account}`)
      expect(answer.json()).toMatchObject({ status: 404, code: 'account.not_found' })
    }
  }
  const { next_cursor } = await trail(admin, `limit=1&account=${owner.userId}`)
  expect(next_cursor).toBeNull()
})

test('concurrent writers to one account’s trail produce one chain', async () => {
  const actor = someUser()
  const write = (minutes: number) =>
    db
      .transaction()
      .execute((trx) =>
        recordInTrail(trx, [newEvent(apiKeyCreated, { ...about(actor, minutes), data: keyFact(actor) })]),
      )
  await Promise.all([1, 2, 3].map(write))
  expect(await verifyTrail(db, actor.userId)).toMatchObject({ isRight: true, entries: 3 })
})

test.each([
  ['from=0000-12-31T23:59:59Z', 'period.invalid', '/from'],
  ['to=2016-12-31T23:59:60Z', 'request.invalid', '/to'],
])('%s is rejected as an invalid time', async (query, code, field) => {
  const answer = await get(someUser(), `audit-trail?${query}`)
  expect(answer.json()).toMatchObject({ status: 400, code, errors: [{ field }] })
})

test.each([
  [{ id: 'seven' }, 'id is not a UUID'],
  [{ account: 'me' }, 'account is not a UUID'],
  [{ time: 'yesterday' }, 'time is not a time'],
])('an event with %j becomes a dead letter', (wrong, fault) => {
  const actor = someUser()
  const event = newEvent(apiKeyCreated, { ...about(actor, 1), data: keyFact(actor) })
  expect(trailFault(event)).toBeUndefined()
  expect(trailFault({ ...event, ...wrong })).toBe(fault)
})
