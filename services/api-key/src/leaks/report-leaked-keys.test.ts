import type { UserActor } from '@tapeline/contracts/actor'
import type { LeakAction } from '@tapeline/contracts/api-key/leaks'
import { someUser } from '@tapeline/testing/actors'
import { type Call, callAs } from '@tapeline/testing/call-as'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import { testDeps, kidOf, makeKey } from '../../test/deps.fixture.ts'
import { deleteKey } from '../keys/delete-key.ts'
import { readKeyRecord } from '../keys/read-key-record.ts'
import { updateKey } from '../keys/update-key.ts'
import { regenerateKey } from '../keys/regenerate-key.ts'
import { checksum } from '../keys/secret.ts'
import { reportLeakedKeys } from './report-leaked-keys.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const URL = 'https://git.example.com/someone/backtest/blob/main/.env'
const { db, redis, deps, app, close } = await openTestApp()
afterAll(close)

const report = (...keys: string[]) =>
  callAs(
    app,
    'api-key',
    { kind: 'anonymous' },
    { method: 'POST', url: '/api/v1/leaked-keys', body: { keys, url: URL } },
  )
const policy = (actor: UserActor, method: Call['method'], body?: unknown) =>
  callAs(app, 'api-key', actor, { method, url: '/api/v1/internal/api-keys/leak-policy', body })
const stateOf = async (kid: string) => (await readKeyRecord(deps, kid)).state

async function ownerWith(action: LeakAction) {
  const actor = someUser()
  expect((await policy(actor, 'PUT', { action })).json()).toMatchObject({ data: { action } })
  return { actor, key: await makeKey(deps, actor, { name: 'backtest' }) }
}

async function eventsOf(subject: string) {
  const rows = db.selectFrom('outbox').select('envelope').where('subject', '=', subject).orderBy('position')
  return (await rows.execute()).map(({ envelope }) => envelope as { type: string; actorkind: string; data: object })
}
const leaksOf = async (keyId: string) => (await eventsOf(keyId)).filter(({ type }) => type === 'api-key.leaked.v1')

test('a reported key is revoked, and its owner is notified where it was found; a second report changes nothing', async () => {
  const key = await makeKey(deps, someUser(), { name: 'backtest' })
  const answered = await report(key.apiKey)
  expect([answered.statusCode, answered.json().data]).toEqual([202, { received: 1 }])
  expect(await stateOf(key.kid)).toBe('revoked')
  const version = (await readKeyRecord(deps, key.kid)).version
  expect(version).toBe(2)
  expect((await report(key.apiKey)).json().data).toEqual({ received: 1 })
  expect(await leaksOf(key.id)).toMatchObject([
    { actorkind: 'service', data: { kid: key.kid, name: 'backtest', outcome: 'revoked', url: URL } },
  ])
})

test('a prefix, a wrong secret and an unknown key prove nothing, and are answered like a key that works', async () => {
  const key = await makeKey(deps, someUser(), { name: 'backtest' })
  const other = await makeKey(deps, someUser(), { name: 'other' })
  const [, label, , secret] = other.apiKey.split('_')
  const body = `tl_${label}_${key.kid}_${secret}`
  const guessed = `${body}_${checksum(body)}`
  const answers = [await report(`tl_live_${key.kid}`), await report(guessed), await report(`${key.apiKey}x`)]
  answers.push(await report(key.apiKey.replace('tl_live', 'tl_test')))
  const right = await report(other.apiKey)
  for (const wrong of answers) expect([wrong.statusCode, wrong.json()]).toEqual([202, right.json()])
  expect([await stateOf(key.kid), await stateOf(other.kid)]).toEqual(['active', 'revoked'])
})

test('with the policy warn the key stays valid, and its owner is warned once a day', async () => {
  const { key } = await ownerWith('warn')
  for (const _ of [1, 2, 3]) await report(key.apiKey)
  expect(await stateOf(key.kid)).toBe('active')
  expect(await leaksOf(key.id)).toMatchObject([{ data: { outcome: 'warned' } }])
  const tomorrow = testDeps(db, redis, { nowMs: Date.now() + DAY_MS })
  await reportLeakedKeys(tomorrow, { keys: [key.apiKey] })
  expect(await leaksOf(key.id)).toHaveLength(2)
})

test('a replaced secret that leaks is ended, and the key continues with its new one', async () => {
  const { actor, key } = await ownerWith('revoke')
  const { apiKey } = await regenerateKey(deps, actor, key.id, { grace_seconds: 86_400 })
  await report(key.apiKey)
  expect([await stateOf(key.kid), await stateOf(kidOf(apiKey))]).toEqual(['revoked', 'active'])
  expect(await leaksOf(key.id)).toMatchObject([{ data: { kid: key.kid, outcome: 'old_secret_ended' } }])
})

test('a replaced secret of an expired key is ended, and stays ended when the key is extended', async () => {
  const { actor, key } = await ownerWith('revoke')
  const other = await makeKey(deps, actor, { name: 'reported with it' })
  const { apiKey } = await regenerateKey(deps, actor, key.id, { grace_seconds: 86_400 })
  const expiresMs = Date.now() + 60_000
  await updateKey(deps, actor, key.id, { expires_at: new Date(expiresMs).toISOString() })
  const later = testDeps(db, redis, { nowMs: expiresMs + 1 })
  expect(await reportLeakedKeys(later, { keys: [key.apiKey, other.apiKey] })).toEqual({ received: 2 })
  await updateKey(later, actor, key.id, { expires_at: null })
  const records = await Promise.all([key.kid, kidOf(apiKey), other.kid].map((kid) => readKeyRecord(later, kid)))
  expect(records.map(({ state }) => state)).toEqual(['revoked', 'active', 'revoked'])
  expect(await leaksOf(key.id)).toMatchObject([{ data: { outcome: 'old_secret_ended' } }])
})

test('a key that cannot be changed fails the report after all others were revoked', async () => {
  const actor = someUser()
  const keys = [
    await makeKey(deps, actor, { name: 'before' }),
    await makeKey(deps, actor, { name: 'broken' }),
    await makeKey(deps, actor, { name: 'after' }),
  ]
  await sql`create function reject_change() returns trigger language plpgsql as
    $$ begin raise exception 'no space left on device' using errcode = 'data_corrupted'; end $$`.execute(db)
  await sql`create trigger reject_change before update on api_key for each row
    when (new.name = 'broken') execute function reject_change()`.execute(db)
  expect((await report(...keys.map(({ apiKey }) => apiKey))).statusCode).toBe(500)
  expect(await Promise.all(keys.map(({ kid }) => stateOf(kid)))).toEqual(['revoked', 'active', 'revoked'])
})

test('concurrent reports of many keys, some twice, some deleted, handle each key once', async () => {
  const { actor, key } = await ownerWith('revoke')
  const deleted = await makeKey(deps, actor, { name: 'gone' })
  await deleteKey(deps, actor, deleted.id)
  const answers = await Promise.all([1, 2, 3, 4].map(() => report(key.apiKey, key.apiKey, deleted.apiKey, 'nonsense')))
  for (const one of answers) expect(one.json().data).toEqual({ received: 4 })
  expect(await leaksOf(key.id)).toHaveLength(1)
  expect(await leaksOf(deleted.id)).toEqual([])
})

test('a change of the policy is in the trail, affects only the own account, and is not possible with service keys', async () => {
  const { actor } = await ownerWith('warn')
  await policy(actor, 'PUT', { action: 'warn' })
  expect(await eventsOf(actor.userId)).toMatchObject([
    { type: 'api-key.leak-policy-changed.v1', data: { before: { action: 'revoke' }, after: { action: 'warn' } } },
  ])
  expect((await policy(someUser(), 'GET')).json()).toMatchObject({ data: { action: 'revoke' } })
  const service = someUser({ userId: actor.userId, keyId: crypto.randomUUID(), scopes: ['keys:write'] })
  expect((await policy(service, 'PUT', { action: 'revoke' })).statusCode).toBe(403)
  expect((await policy(actor, 'GET')).json()).toMatchObject({ data: { action: 'warn' } })
})
