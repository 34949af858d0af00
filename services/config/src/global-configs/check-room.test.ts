import { someUser } from '@tapeline/testing/actors'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import { readPlatformSnapshot } from '../read-platform-snapshot.ts'
import { CONFIGS_MAX } from './config-queries.ts'

const { call, deps, db, close } = await openTestApp()
afterAll(close)

const CONFIGS = '/api/v1/admin/global-configs'
const admin = someUser({ role: 'admin' })
const full = { code: 'global_config.too_large' }
const put = async (key: string, value: unknown) =>
  (await call(admin, 'PUT', CONFIGS, { updates: [{ key, value }] })).body.data

test('at the maximum number of configurations each can be changed, and reverting one frees its place', async () => {
  const state = JSON.stringify({ value: 1, is_public: false })
  const rows = Array.from({ length: CONFIGS_MAX - 1 }, (_, n) => ({
    id: deps.newId(),
    key: `brand.item_${n}`,
    state,
    version: 1,
    updated_by: null,
    updated_at: deps.now(),
  }))
  await db.insertInto('global_config').values(rows).execute()
  expect((await put('brand.last', 1)).updated).toHaveLength(1)
  expect((await put('brand.more', 1)).failed).toMatchObject([full])
  expect((await put('brand.item_7', 2)).updated).toMatchObject([{ value: 2, version: 2 }])
  const undo = `${CONFIGS}/brand.last/undo`
  expect((await call(admin, 'POST', undo)).body.data).toMatchObject({ id: null })
  expect((await put('brand.more', 1)).updated).toHaveLength(1)
  expect((await call(admin, 'POST', undo)).body).toMatchObject({ status: 400, ...full })
  expect((await put('brand.last', 1)).failed).toMatchObject([full])
  const { configs = {} } = (await readPlatformSnapshot(deps)) ?? {}
  expect(Object.keys(configs)).toHaveLength(CONFIGS_MAX)
  expect(configs).toHaveProperty(['brand.more'])
})

test('at the maximum total size a value can be replaced by one that is not longer', async () => {
  await db.deleteFrom('global_config_change').execute()
  await db.deleteFrom('global_config').execute()
  const large = 'x'.repeat(60_000)
  for (let n = 0; n < 17; n += 1) expect((await put(`large.item_${n}`, large)).updated, `${n}`).toHaveLength(1)
  expect((await put('large.more', large)).failed).toMatchObject([full])
  expect((await put('large.item_3', large.replace('x', 'y'))).updated).toHaveLength(1)
})
