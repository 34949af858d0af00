import { someUser } from '@tapeline/testing/actors'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import { FLAGS_MAX } from './flag-queries.ts'

const { call, deps, db, close } = await openTestApp()
afterAll(close)

const FLAGS = '/api/v1/admin/feature-flags'
const admin = someUser({ role: 'admin' })
const create = (flag_key: string) => call(admin, 'POST', FLAGS, { flag_key })
const update = (body: object) => call(admin, 'PATCH', FLAGS, body)
const countListed = async (query: string) => (await call(admin, 'GET', FLAGS + query)).body.data.length

test('a removed flag frees its place, stays listed, and is restored only if there is a place', async () => {
  const at = deps.now()
  const flags = Array.from({ length: FLAGS_MAX }, (_, n) => ({
    id: deps.newId(),
    key: `flag_${n}`,
    role: 'user' as const,
    enabled: true,
    is_active: true,
    is_public: false,
    created_at: at,
    updated_at: at,
  }))
  await db.insertInto('feature_flag').values(flags).execute()
  const tooMany = { status: 409, code: 'flag.too_many' }
  expect((await create('zone')).body).toMatchObject(tooMany)

  const flagId = flags[0]?.id
  expect((await update({ flagId, is_active: false })).status).toBe(200)
  expect((await create('zone')).status).toBe(201)
  expect(await countListed('')).toBe(FLAGS_MAX)
  expect(await countListed('?removed=true')).toBe(FLAGS_MAX + 1)

  expect((await create('flag_0')).body).toMatchObject(tooMany)
  expect((await update({ flagId, is_active: true })).body).toMatchObject(tooMany)
  expect((await call(admin, 'POST', `${FLAGS}/${flagId}/undo`)).body).toMatchObject(tooMany)
  expect((await update({ flagId: flags[1]?.id, is_active: false })).status).toBe(200)
  expect((await update({ flagId, is_active: true })).status).toBe(200)
})
