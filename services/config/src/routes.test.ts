import type { Actor, Role } from '@tapeline/contracts/actor'
import type { UserFlags } from '@tapeline/contracts/config/http'
import { someUser } from '@tapeline/testing/actors'
import { fixedSettings } from '@tapeline/service/platform-settings'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from './app.ts'
import { migrations } from './migrations/all.ts'
import { seedFlags } from './flags/seed-flags.ts'
import { setSubscription } from './subscriptions/set-subscription.ts'
import type { FeatureFlagRow, Tables } from './tables.ts'
import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'
import { seedTiers } from './tiers/write-tiers.ts'

const FLAGS = '/api/v1/internal/user/feature-flags'
const PRICING = '/api/v1/internal/subscription/pricing'
const SEEDED = ['api_key_audit', 'api_key_management', 'pricing_yearly_billing_toggle']
const { db, drop } = await openTestDatabase<Tables>(migrations)
const deps = {
  db,
  now: () => new Date(),
  newId: () => randomUUIDv7(),
  raiseVersion: async () => true,
  findEmailState: async () => undefined,
  countAccounts: async () => ({ accounts: 3, of: 5 }),
  settings: fixedSettings(),
}
const app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
afterAll(async () => {
  await app.close()
  await drop()
})

const visitor: Actor = { kind: 'anonymous' }
const service = (name: string): Actor => ({ kind: 'service', service: name })
const get = (actor: Actor, url: string) => callAs(app, 'config', actor, { method: 'GET', url })

async function flagsOf(actor: Actor): Promise<UserFlags> {
  const { data }: { data: UserFlags } = (await get(actor, FLAGS)).json()
  return data
}

async function addFlag(key: string, role: Role, changes: Partial<FeatureFlagRow> = {}): Promise<void> {
  const now = deps.now()
  const flag = { enabled: true, is_active: true, is_public: false, description: null, category: null, priority: null }
  await db
    .insertInto('feature_flag')
    .values({ id: deps.newId(), key, role, ...flag, created_at: now, updated_at: now, deleted_at: null, ...changes })
    .execute()
}

test('without tier documents prices are temporarily unavailable, not wrong', async () => {
  const failed = await get(visitor, PRICING)
  expect([failed.statusCode, failed.headers['retry-after']]).toEqual([503, '5'])
})

beforeAll(async () => {
  await seedFlags(deps)
})

test('pricing returns the tier documents, for anyone', async () => {
  await seedTiers(deps, service('config'), tierDocuments)
  for (const actor of [visitor, someUser()]) {
    expect((await get(actor, PRICING)).json()).toEqual({ success: true, message: 'Pricing', data: tierDocuments })
  }
  expect((await app.inject({ method: 'GET', url: PRICING })).statusCode).toBe(401)
})

test('the gateway gets the tiers with their version, and 304 when it has them', async () => {
  const fresh = await get(service('gateway'), '/internal/tiers?known=0')
  expect(fresh.json()).toEqual({ version: 1, revision: expect.any(String), tiers: tierDocuments, shadow: {} })
  const { revision } = fresh.json<{ revision: string }>()
  for (const query of ['known=1', `known=1&revision=${revision}`]) {
    const answer = await get(service('gateway'), `/internal/tiers?${query}`)
    expect([answer.statusCode, answer.payload]).toEqual([304, ''])
  }
  const restored = await get(service('gateway'), `/internal/tiers?known=1&revision=${crypto.randomUUID()}`)
  expect(restored.json()).toMatchObject({ version: 1, revision })
  const wrong = await get(service('gateway'), '/internal/tiers?known=one')
  expect(wrong.json()).toMatchObject({ status: 400, errors: [{ field: '/known' }] })
  expect((await get(someUser({ role: 'admin' }), '/internal/tiers')).statusCode).toBe(404)
})

test('a user has the seeded flags, a visitor only the public one', async () => {
  expect((await flagsOf(someUser())).featureFlags).toEqual(SEEDED)
  expect(await flagsOf(visitor)).toEqual({
    featureFlags: ['pricing_yearly_billing_toggle'],
    flags: [
      {
        key: 'pricing_yearly_billing_toggle',
        enabled: true,
        description: 'Switch between monthly and yearly prices on the pricing page.',
        metadata: { category: 'pricing', priority: 3 },
      },
    ],
  })
})

test('seeding again keeps changes of a flag', async () => {
  await db.updateTable('feature_flag').set({ enabled: false }).where('key', '=', 'api_key_audit').execute()
  await seedFlags(deps)
  const { featureFlags, flags } = await flagsOf(someUser())
  expect(featureFlags).not.toContain('api_key_audit')
  expect(flags.find(({ key }) => key === 'api_key_audit')?.enabled).toBe(false)
  await db.updateTable('feature_flag').set({ enabled: true }).where('key', '=', 'api_key_audit').execute()
})

test('a role has the flags of the roles below it; a key is on when one of them is on', async () => {
  await addFlag('for_testers', 'tester')
  await addFlag('for_admins', 'admin', { is_public: true })
  await addFlag('two_minds', 'user', { enabled: false })
  await addFlag('two_minds', 'admin', { description: 'On for admins.' })
  await addFlag('removed', 'user', { is_active: false, enabled: false })
  const own = async (role: Role) =>
    (await flagsOf(someUser({ role }))).featureFlags.filter((key) => !SEEDED.includes(key))
  expect(await own('user')).toEqual([])
  expect(await own('tester')).toEqual(['for_testers'])
  expect(await own('admin')).toEqual(['for_admins', 'for_testers', 'two_minds'])
  expect((await flagsOf(visitor)).featureFlags).toEqual(['pricing_yearly_billing_toggle'])
  const { flags } = await flagsOf(someUser({ role: 'admin' }))
  expect(flags.filter(({ key }) => key === 'two_minds')).toEqual([
    { key: 'two_minds', enabled: true, description: 'On for admins.', metadata: {} },
  ])
  expect((await flagsOf(someUser())).flags.map(({ key }) => key)).toContain('two_minds')
})

test('one flag is returned in the shape of the list, and one of a higher role is a 404', async () => {
  await addFlag('hidden', 'tester')
  const one = await get(someUser(), `${FLAGS}/api_key_management`)
  expect(one.json()).toMatchObject({
    success: true,
    data: { featureFlags: ['api_key_management'], flags: [{ key: 'api_key_management', enabled: true }] },
  })
  for (const [actor, key] of [
    [someUser(), 'hidden'],
    [someUser(), 'absent'],
    [visitor, 'api_key_audit'],
  ] as const) {
    const failed = await get(actor, `${FLAGS}/${key}`)
    expect([failed.statusCode, failed.headers['x-error-code']]).toEqual([404, 'flag.not_found'])
  }
})

test('the services that need a subscription can read it', async () => {
  const account = randomUUIDv7()
  const url = `/internal/subscriptions/${account}`
  for (const name of ['gateway', 'api-key', 'audit', 'identity']) {
    expect((await get(service(name), url)).json()).toMatchObject({ account_id: account, tier: 'free', version: 1 })
  }
  for (const actor of [service('market-data'), someUser({ userId: account, role: 'admin' }), visitor]) {
    expect((await get(actor, url)).statusCode).toBe(404)
  }
  const wrong = await get(service('gateway'), '/internal/subscriptions/me')
  expect(wrong.json()).toMatchObject({ status: 400, errors: [{ field: '/account' }] })
})

test('a profile contains the tier and the flags of the role', async () => {
  const account_id = randomUUIDv7()
  await setSubscription(deps, service('config'), { account_id, tier: 'pro' })
  const profile = await get(service('identity'), `/internal/accounts/${account_id}/profile?role=user`)
  expect(profile.json()).toMatchObject({
    tier: 'pro',
    time_zone: 'UTC',
    featureFlags: SEEDED,
    configs: {},
    globalConfigs: { 'system_config.sign_up': { open: true }, 'api_settings.page_sizes': { default: 20, max: 100 } },
  })
  const wrong = await get(service('identity'), `/internal/accounts/${account_id}/profile?role=king`)
  expect(wrong.json()).toMatchObject({
    status: 400,
    errors: [{ field: '/role', message: 'role must be one of user, tester, admin' }],
  })
  expect((await get(service('gateway'), `/internal/accounts/${account_id}/profile?role=user`)).statusCode).toBe(404)
})
