import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'
import { someUser } from '@tapeline/testing/actors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import { readTiers } from './read-tiers.ts'
import { seedTiers } from './write-tiers.ts'

let app: Awaited<ReturnType<typeof openTestApp>>
beforeAll(async () => {
  app = await openTestApp()
  await seedTiers(app.deps, { kind: 'service', service: 'config' }, tierDocuments)
})
afterAll(() => app.close())

const admin = someUser({ role: 'admin' })
const SHADOW = '/api/v1/admin/tiers/basic/shadow'
const limits = {
  burstLimit: 10,
  requestsPerMinute: 60,
  requestsPerHour: 500,
  requestsPerDay: 5_000,
  requestsPerMonth: 50_000,
  concurrentRequests: 3,
}
const version = async () => (await readTiers(app.deps)).version
const propose = async (rateLimits: unknown = limits, reason?: string) =>
  app.call(admin, 'PUT', SHADOW, {
    rateLimits,
    version: await version(),
    ...(reason === undefined ? {} : { reason }),
  })

test('shadow limits are distributed with the tier documents, and change neither them nor the public prices', async () => {
  const before = await version()
  const { status, body } = await propose(limits, 'too generous')
  const shadow = { basic: { id: expect.any(String), since: app.deps.now().toISOString(), rateLimits: limits } }
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ version: before + 1, tiers: tierDocuments, shadow })
  expect(await readTiers(app.deps)).toMatchObject({ version: before + 1, tiers: tierDocuments, shadow })
  const pricing = await app.call(someUser(), 'GET', '/api/v1/internal/subscription/pricing')
  expect(JSON.stringify(pricing.body)).not.toContain('shadow')
  const [changed] = (await app.events('config.tiers-changed.v2')).slice(-1)
  expect(changed).toMatchObject({ actorid: admin.userId, data: { after: { '/basic/shadow': shadow.basic } } })
  expect(changed?.data).toMatchObject({ reason: 'too generous', before: {} })
})

test('different limits are a new proposal, which edits and undos of the documents keep', async () => {
  const first = (await propose()).body.data.shadow.basic.id
  const { shadow } = (await propose({ ...limits, requestsPerMinute: 50 })).body.data
  expect(shadow.basic.id).not.toBe(first)
  const { basic } = tierDocuments
  const document = { ...basic, rateLimits: { ...basic.rateLimits, burstLimit: 19 } }
  const edited = await app.call(admin, 'PUT', '/api/v1/admin/tiers/basic', { document, version: await version() })
  expect(edited.body.data).toMatchObject({ tiers: { basic: document }, shadow })
  const undone = await app.call(admin, 'POST', '/api/v1/admin/tiers/undo', { version: await version() })
  expect(undone.body.data).toMatchObject({ tiers: { basic }, shadow })
})

test('shadow limits are validated as the limits of a tier are, and an outdated edit is a conflict', async () => {
  const before = await version()
  const { concurrentRequests: _none, ...incomplete } = limits
  const invalid: [unknown, string][] = [
    [{ ...limits, burstLimit: 61 }, '/rateLimits/burstLimit'],
    [{ ...limits, requestsPerDay: 0 }, '/rateLimits/requestsPerDay'],
    [incomplete, '/rateLimits/concurrentRequests'],
    [{ ...limits, streamConnections: 1 }, '/rateLimits/streamConnections'],
  ]
  for (const [rateLimits, field] of invalid) {
    const { status, body } = await propose(rateLimits)
    expect([status, body.code, body.errors?.[0]?.field]).toEqual([400, 'tier.invalid', field])
  }
  const outdated = await app.call(admin, 'PUT', SHADOW, { rateLimits: limits, version: before - 1 })
  expect([outdated.status, await version()]).toEqual([409, before])
})

test('shadow limits are removed, or become the limits of the tier', async () => {
  await propose()
  const removed = await app.call(admin, 'DELETE', `${SHADOW}?version=${await version()}&reason=no`)
  expect(removed.body.data).toMatchObject({ tiers: tierDocuments, shadow: {}, reason: 'no' })
  for (const call of [
    app.call(admin, 'DELETE', `${SHADOW}?version=${await version()}`),
    app.call(admin, 'POST', `${SHADOW}/enforce`, { version: await version() }),
  ]) {
    expect(await call).toMatchObject({ status: 404, body: { code: 'tier.no_shadow_limits' } })
  }
  await propose()
  const enforced = await app.call(admin, 'POST', `${SHADOW}/enforce`, { version: await version() })
  const { basic } = tierDocuments
  const rateLimits = { ...basic.rateLimits, ...limits }
  expect(enforced.body.data).toMatchObject({ tiers: { ...tierDocuments, basic: { ...basic, rateLimits } }, shadow: {} })
})

test('only admins can propose, remove and enforce shadow limits', async () => {
  for (const role of ['user', 'tester'] as const) {
    const actor = someUser({ role })
    const body = { rateLimits: limits, version: 1 }
    expect((await app.call(actor, 'PUT', SHADOW, body)).status).toBe(403)
    expect((await app.call(actor, 'DELETE', `${SHADOW}?version=1`)).status).toBe(403)
    expect((await app.call(actor, 'POST', `${SHADOW}/enforce`, { version: 1 })).status).toBe(403)
  }
})
