import { type PlatformSnapshot, TIERS_KEY } from '@tapeline/contracts/config/platform-settings'
import { connectDatabase, createPool } from '@tapeline/database/connect'
import { fixedSettings } from '@tapeline/service/platform-settings'
import { someUser } from '@tapeline/testing/actors'
import { type Call, callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { randomUUIDv7 } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { createApp } from './app.ts'
import type { Tables } from './tables.ts'
import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'

/** Nothing listens on this port. */
const pool = createPool({
  url: 'postgres://127.0.0.1:1/unavailable',
  connectionsMax: 1,
  applicationName: 'unavailable',
})
const flag = { role: 'user' as const, enabled: true, description: null, metadata: {}, rollout_percent: 100 }
const snapshot: PlatformSnapshot = {
  version: 9,
  flags: [{ key: 'new_charts', ...flag, is_public: true, enabled_from: null, enabled_until: null }],
  configs: { [TIERS_KEY]: { value: tierDocuments, is_public: false } },
}
const deps = {
  db: connectDatabase<Tables>(pool),
  now: () => new Date(),
  newId: () => randomUUIDv7(),
  raiseVersion: async () => true,
  findEmailState: async () => ({ email_verified: true }),
  countAccounts: async () => ({ accounts: 0, of: 0 }),
}
const options = { logger: silentLogger, internalKeys: testInternalKeys, checks: {} }
const app = await createApp({ ...deps, settings: fixedSettings(snapshot) }, options)
const fresh = await createApp({ ...deps, settings: fixedSettings() }, options)
afterAll(async () => {
  await Promise.all([app.close(), fresh.close()])
  await pool.end()
})

const admin = someUser({ role: 'admin' })
const MINE = '/api/v1/internal/user/feature-flags'

test('without the database, users and visitors get the flags of the snapshot', async () => {
  for (const actor of [someUser(), admin, { kind: 'anonymous' } as const]) {
    const reply = await callAs(app, 'config', actor, { method: 'GET', url: MINE })
    expect(reply.json()).toMatchObject({ success: true, data: { featureFlags: ['new_charts'] } })
  }
  expect((await callAs(fresh, 'config', admin, { method: 'GET', url: MINE })).statusCode).toBe(503)
})

test('without the database, prices are those of the snapshot', async () => {
  const pricing: Call = { method: 'GET', url: '/api/v1/internal/subscription/pricing' }
  const reply = await callAs(app, 'config', { kind: 'anonymous' }, pricing)
  expect(reply.json()).toMatchObject({ success: true, data: { pro: tierDocuments.pro } })
  expect((await callAs(fresh, 'config', { kind: 'anonymous' }, pricing)).statusCode).toBe(503)
})

test('without the database, writes fail with Retry-After', async () => {
  const calls: Call[] = [
    { method: 'POST', url: '/api/v1/admin/feature-flags', body: { flag_key: 'a' } },
    { method: 'PATCH', url: '/api/v1/admin/feature-flags', body: { flagId: randomUUIDv7(), enabled: true } },
    { method: 'PUT', url: '/api/v1/admin/global-configs', body: { updates: [{ key: 'a.b', value: 1 }] } },
    { method: 'POST', url: '/api/v1/admin/global-configs/a.b/undo', body: {} },
    { method: 'PUT', url: '/api/v1/admin/tiers', body: { tiers: tierDocuments, version: 1 } },
    { method: 'PUT', url: `/api/v1/admin/subscriptions/${randomUUIDv7()}`, body: { tier: 'pro' } },
    { method: 'PUT', url: '/api/v1/internal/user/settings', body: { user_settings: {} } },
    { method: 'POST', url: '/api/v1/internal/subscription/trial', body: { tier: 'pro' } },
  ]
  for (const call of calls) {
    const reply = await callAs(app, 'config', admin, call)
    expect(reply.json(), call.url).toMatchObject({ status: 503, code: 'service.unavailable' })
    expect(reply.headers['retry-after'], call.url).toBe('1')
  }
})
