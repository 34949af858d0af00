import type { Actor } from '@tapeline/contracts/actor'
import { someUser } from '@tapeline/testing/actors'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import { readPlatformSnapshot } from '../read-platform-snapshot.ts'
import { seedFlags } from './seed-flags.ts'
import { seededFlags } from './seeded-flags.ts'

const { call, clock, deps, db, events, close } = await openTestApp()
afterAll(close)

const FLAGS = '/api/v1/admin/feature-flags'
const MINE = '/api/v1/internal/user/feature-flags'
const [user, tester, admin] = [someUser(), someUser({ role: 'tester' }), someUser({ role: 'admin' })]
const create = (actor: Actor, body: object) => call(actor, 'POST', FLAGS, body)
const update = (actor: Actor, body: object) => call(actor, 'PATCH', FLAGS, body)
const isOn = async (key: string, actor: Actor = user): Promise<boolean> =>
  (await call(actor, 'GET', MINE)).body.data.featureFlags.includes(key)
let created = 0
const someKey = () => `flag_${(created += 1)}`

test('a flag can be created, switched, removed and re-created as the same flag, visible to all users with its role', async () => {
  const flag_key = someKey()
  const metadata = { category: 'pricing', priority: 2 }
  const created = await create(tester, {
    flag_key: ` ${flag_key} `,
    role: 'user',
    enabled: true,
    description: 'New.',
    metadata,
  })
  expect(created).toMatchObject({ status: 201, body: { success: true, data: { flag_key, enabled: true, version: 1 } } })
  expect((await call(user, 'GET', `${MINE}/${flag_key}`)).body.data.flags).toEqual([
    { key: flag_key, enabled: true, description: 'New.', metadata },
  ])
  const flagId = created.body.data.id
  expect((await create(admin, { flag_key })).body).toMatchObject({ status: 409, code: 'flag.exists' })
  expect((await create(admin, { flag_key, role: 'tester' })).status).toBe(201)
  await update(tester, { flagId, enabled: false })
  expect(await isOn(flag_key)).toBe(false)
  const removed = await update(tester, { flagId, is_active: false, enabled: true })
  expect(removed.body.data).toMatchObject({ is_active: false, enabled: false, version: 3 })
  const listed = async (query: string) =>
    (await call(tester, 'GET', FLAGS + query)).body.data.map(({ id }: { id: string }) => id)
  expect(await listed('')).not.toContain(flagId)
  expect(await listed('?removed=true')).toContain(flagId)
  expect((await create(tester, { flag_key, enabled: true })).body.data).toMatchObject({ id: flagId, version: 4 })
  expect(await isOn(flag_key)).toBe(true)
})

test.each([{ enabled: true }, { enabled: false }, { description: 'New.' }])(
  'the change %j of a deleted flag returns 404 until it is restored',
  async (change) => {
    const { id: flagId } = (await create(tester, { flag_key: someKey() })).body.data
    await update(tester, { flagId, is_active: false })
    expect((await update(tester, { flagId, ...change })).body).toMatchObject({ status: 404, code: 'flag.not_found' })
    const history = await call(tester, 'GET', `${FLAGS}/${flagId}/history`)
    expect(history.body.data.flag).toMatchObject({ is_active: false, version: 2 })
    const restored = await update(tester, { flagId, is_active: true, ...change })
    expect(restored.body.data).toMatchObject({ is_active: true, version: 3, ...change })
  },
)

test('a tester cannot change a flag of role admin in any way, and a user cannot change any flag', async () => {
  const flag_key = someKey()
  const forbidden = { status: 403, code: 'flag.role_above_yours' }
  expect((await create(tester, { flag_key, role: 'admin' })).body).toMatchObject(forbidden)
  const { id: flagId } = (await create(admin, { flag_key, role: 'admin' })).body.data
  for (const change of [{ enabled: false }, { is_active: false }, { description: 'mine' }]) {
    expect((await update(tester, { flagId, ...change })).body).toMatchObject(forbidden)
  }
  expect((await call(tester, 'POST', `${FLAGS}/${flagId}/undo`)).body).toMatchObject(forbidden)
  expect((await call(admin, 'GET', `${FLAGS}/${flagId}/history`)).body.data.flag).toMatchObject({
    enabled: true,
    version: 1,
  })
  expect((await create(user, { flag_key })).body).toMatchObject({ status: 403, code: 'request.forbidden' })
  expect((await update(user, { flagId, enabled: true })).status).toBe(403)
  expect((await create({ kind: 'anonymous' }, { flag_key })).status).toBe(401)
})

test('a schedule switches a flag on and off at its times', async () => {
  const flag_key = someKey()
  const at = (hours: number) => new Date(clock.nowMs + hours * 3_600_000).toISOString()
  await create(admin, { flag_key, enabled_from: at(1), enabled_until: at(2) })
  expect(await isOn(flag_key)).toBe(false)
  clock.nowMs += 3_600_000
  expect(await isOn(flag_key)).toBe(true)
  clock.nowMs += 3_600_000
  expect(await isOn(flag_key)).toBe(false)
  const wrong = await create(admin, { flag_key: someKey(), enabled_from: at(2), enabled_until: at(1) })
  expect(wrong.body).toMatchObject({ status: 400, code: 'flag.invalid', errors: [{ field: '/enabled_until' }] })
})

test('a rollout covers a stable share of the accounts', async () => {
  const flag_key = someKey()
  await create(admin, { flag_key, rollout_percent: 50 })
  const people = Array.from({ length: 40 }, () => someUser())
  const reached = await Promise.all(people.map((person) => isOn(flag_key, person)))
  expect(new Set(reached).size).toBe(2)
  expect(await Promise.all(people.map((person) => isOn(flag_key, person)))).toEqual(reached)
  expect((await call(tester, 'GET', `${FLAGS}/affected?flag_key=${flag_key}&rollout_percent=50`)).body.data).toEqual({
    accounts: 3,
    of: 5,
  })
})

test('history contains actor, change and reason, and undo reverts the newest change', async () => {
  const flag_key = someKey()
  const { id: flagId } = (await create(admin, { flag_key, enabled: false })).body.data
  await update(tester, { flagId, enabled: true, rollout_percent: 10, reason: 'a first tenth' })
  const undone = await call(admin, 'POST', `${FLAGS}/${flagId}/undo`, { version: 2, reason: 'too early' })
  expect(undone.body.data).toMatchObject({ enabled: false, rollout_percent: 100, version: 3 })
  const { changes } = (await call(tester, 'GET', `${FLAGS}/${flagId}/history`)).body.data
  expect(changes).toMatchObject([
    { version: 3, changed_by: admin.userId, reason: 'too early', after: { enabled: false } },
    {
      version: 2,
      changed_by: tester.userId,
      reason: 'a first tenth',
      before: { enabled: false },
      after: { enabled: true },
    },
    { version: 1, before: null },
  ])
  const recorded = (await events('config.flag-changed.v1')).filter(({ subject }) => subject === flagId)
  expect(recorded.map(({ data }) => data)).toMatchObject([
    { before: null, after: { flag_key }, reason: null },
    { before: { enabled: false }, after: { enabled: true }, reason: 'a first tenth' },
    { before: { enabled: true }, after: { enabled: false }, reason: 'too early' },
  ])
  const versions = recorded.map(({ data }) => (data as { version: number }).version)
  expect(versions).toEqual(versions.toSorted((a, b) => a - b))
  expect((await readPlatformSnapshot(deps))?.version).toBe(versions.at(-1))
})

test('setting the current state changes nothing; an outdated version is a conflict with the current state', async () => {
  const flag_key = someKey()
  const { id: flagId } = (await create(admin, { flag_key })).body.data
  expect((await update(admin, { flagId, enabled: true })).body.data.version).toBe(1)
  await update(admin, { flagId, description: 'first', version: 1 })
  const late = await update(tester, { flagId, description: 'second', version: 1 })
  expect(late.body).toMatchObject({
    status: 409,
    code: 'flag.changed_meanwhile',
    errors: [{ field: '/version' }, { field: '/description', message: 'description is now "first"' }],
  })
  expect((await call(admin, 'GET', FLAGS)).body.data.find(({ id }: { id: string }) => id === flagId).description).toBe(
    'first',
  )
})

test('a seeded flag is published like any change; seeding again publishes nothing', async () => {
  const before = await readPlatformSnapshot(deps)
  await seedFlags(deps)
  const after = await readPlatformSnapshot(deps, before)
  expect(after?.version).toBeGreaterThan(before?.version ?? 0)
  const flips = (await events('config.flag-changed.v1')).filter(({ actorkind }) => actorkind === 'service')
  expect(flips.map(({ data }) => data)).toMatchObject(
    seededFlags.map(({ key, role }) => ({ before: null, after: { flag_key: key, role }, version: after?.version })),
  )
  await db.deleteFrom('feature_flag').where('key', '=', 'api_key_audit').execute()
  await seedFlags(deps)
  await seedFlags(deps)
  const again = await readPlatformSnapshot(deps)
  expect(again?.version).toBe((after?.version ?? 0) + 1)
  expect(again?.flags.filter(({ key }) => key === 'api_key_audit')).toHaveLength(1)
})

test('a seeded flag that was changed can be restored; an unchanged one has nothing to undo', async () => {
  await seedFlags(deps)
  const seeded = (await call(admin, 'GET', FLAGS)).body.data.find(
    (flag: { flag_key: string }) => flag.flag_key === 'api_key_audit',
  )
  const undo = () => call(admin, 'POST', `${FLAGS}/${seeded.id}/undo`)
  expect((await undo()).body).toMatchObject({ status: 409, code: 'flag.nothing_to_undo' })
  await update(admin, { flagId: seeded.id, enabled: false })
  expect(await isOn('api_key_audit')).toBe(false)
  expect((await undo()).status).toBe(200)
  expect(await isOn('api_key_audit')).toBe(true)
})

test('an invalid flag is rejected with the field and nothing is stored', async () => {
  const before = await db.selectFrom('feature_flag').select('id').execute()
  for (const [body, field] of [
    [{}, '/flag_key'],
    [{ flag_key: '   ' }, '/flag_key'],
    [{ flag_key: 'a\nb' }, '/flag_key'],
    [{ flag_key: 'a', role: 'king' }, '/role'],
    [{ flag_key: 'a', enabled: 'yes' }, '/enabled'],
    [{ flag_key: 'a', rollout_percent: 101 }, '/rollout_percent'],
    [{ flag_key: 'a', rollout_percent: 'NaN' }, '/rollout_percent'],
    [{ flag_key: 'a', metadata: { category: 'x', owner: 'y' } }, '/metadata/owner'],
    [{ flag_key: 'a', reason: 'a\0b' }, '/reason'],
    [{ flag_key: 'a', is_superuser: true }, '/is_superuser'],
  ] as const) {
    expect((await create(admin, body)).body, JSON.stringify(body)).toMatchObject({ status: 400, errors: [{ field }] })
  }
  expect(await db.selectFrom('feature_flag').select('id').execute()).toHaveLength(before.length)
  const unknown = { flagId: crypto.randomUUID(), enabled: true }
  expect((await update(admin, unknown)).body).toMatchObject({ status: 404, code: 'flag.not_found' })
})
