import type { Event } from '@tapeline/contracts/event'
import { someUser } from '@tapeline/testing/actors'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { migrations } from '../migrations/all.ts'
import type { Tables } from '../tables.ts'
import { listTierHistory } from './list-tier-history.ts'
import { readTiers } from './read-tiers.ts'
import { replaceTier } from './replace-tier.ts'
import { replaceTiers } from './replace-tiers.ts'
import { showTiers } from './show-tiers.ts'
import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'
import { undoTiers } from './undo-tiers.ts'
import { seedTiers } from './write-tiers.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
afterAll(drop)
const clock = { nowMs: Date.UTC(2026, 2, 1) }
const deps = { db, now: () => new Date(clock.nowMs), newId: () => randomUUIDv7() }
const admin = someUser({ role: 'admin' })
const seed = { kind: 'service', service: 'config' } as const
beforeEach(async () => {
  await db.deleteFrom('tier_document').execute()
  await db.deleteFrom('outbox').execute()
  await seedTiers(deps, seed, tierDocuments)
})

const { basic } = tierDocuments
const withMinute = (requestsPerMinute: number) => ({ ...basic, rateLimits: { ...basic.rateLimits, requestsPerMinute } })
async function events(type: string): Promise<unknown[]> {
  const rows = await db.selectFrom('outbox').select('envelope').orderBy('position').execute()
  const all = rows.map(({ envelope }) => envelope as Event<unknown>)
  return all.filter((event) => event.type === type)
}

test('one tier is replaced, the others stay; the event contains changes, actor and reason', async () => {
  const document = withMinute(200)
  const edition = await replaceTier(deps, admin, 'basic', { document, version: 1, reason: 'more room' })
  expect(edition).toMatchObject({ version: 2, written_by: admin.userId, reason: 'more room' })
  expect(await readTiers(deps)).toMatchObject({ version: 2, tiers: { ...tierDocuments, basic: document } })
  const [, changed] = await events('config.tiers-changed.v2')
  expect(changed).toMatchObject({
    actorid: admin.userId,
    data: {
      version: 2,
      before: { '/basic/rateLimits/requestsPerMinute': 100 },
      after: { '/basic/rateLimits/requestsPerMinute': 200 },
      reason: 'more room',
    },
  })
})

test("of two admins the second gets a conflict with the first one's changes, and overwrites nothing", async () => {
  await replaceTier(deps, admin, 'basic', { document: withMinute(200), version: 1 })
  await expect(replaceTiers(deps, admin, { tiers: tierDocuments, version: 1 })).rejects.toMatchObject({
    code: 'tier.changed_meanwhile',
    errors: [{ field: '/basic/rateLimits/requestsPerMinute', message: 'was 100, is now 200' }],
  })
  const outcomes = await Promise.allSettled(
    [201, 202, 203, 204].map((n) => replaceTier(deps, admin, 'basic', { document: withMinute(n), version: 2 })),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await readTiers(deps)).version).toBe(3)
})

test('documents can be read as of a given time, compared and restored', async () => {
  const dayMs = 86_400_000
  for (const [n, minute] of [200, 300].entries()) {
    clock.nowMs += dayMs
    await replaceTier(deps, admin, 'basic', { document: withMinute(minute), version: n + 1 })
  }
  const at = (ms: number) => showTiers(deps, { at: new Date(ms).toISOString() })
  expect((await at(clock.nowMs - dayMs)).tiers.basic).toEqual(withMinute(200))
  expect((await at(clock.nowMs - dayMs - 1)).version).toBe(1)
  expect((await showTiers(deps, { version: 2 })).tiers.basic).toEqual(withMinute(200))
  await expect(at(0)).rejects.toMatchObject({ code: 'tier.version_not_found' })
  expect(await undoTiers(deps, admin, { version: 3 })).toMatchObject({ version: 4, reason: 'back to version 2' })
  expect(await undoTiers(deps, admin, { version: 4, to: 1 })).toMatchObject({ version: 5, tiers: tierDocuments })
  const { editions } = await listTierHistory(deps, { limit: 2 })
  const minute = '/basic/rateLimits/requestsPerMinute'
  expect(editions).toMatchObject([
    { version: 5, changes: [{ path: minute, before: 200, after: 100 }] },
    { version: 4, changes: [{ path: minute, before: 300, after: 200 }] },
  ])
  const older = await listTierHistory(deps, { before: 4 })
  expect(older.editions.map(({ version }) => version)).toEqual([3, 2, 1])
})

test('the first documents cannot be undone', async () => {
  await expect(undoTiers(deps, admin, { version: 1 })).rejects.toMatchObject({ code: 'tier.nothing_to_undo' })
  await expect(undoTiers(deps, admin, { version: 1, to: 9 })).rejects.toMatchObject({ code: 'tier.version_not_found' })
})

test.each([
  [{ ...basic, rateLimits: { ...basic.rateLimits, burstLimit: 0 } }, '/document/rateLimits/burstLimit'],
  [withMinute(1_001), '/document/rateLimits/requestsPerMinute'],
  [{ ...basic, billing: { ...basic.billing, yearlyDiscount: 40 } }, '/document/billing/yearlyDiscount'],
  [{ ...basic, billing: { ...basic.billing, yearlyPrice: 349 } }, '/document/billing/yearlyPrice'],
  [{ ...basic, billing: { ...basic.billing, currency: 'EUR' } }, '/document/billing/currency'],
  [{ ...basic, features: { ...basic.features, telepathy: true } }, '/document/features/telepathy'],
  [null, '/document'],
])(
  'case %#: invalid documents are rejected with their place in the request, and the rejection is published',
  async (document, field) => {
    await expect(replaceTier(deps, admin, 'basic', { document, version: 1, reason: 'oops' })).rejects.toMatchObject({
      code: 'tier.invalid',
      errors: [expect.objectContaining({ field })],
    })
    expect((await readTiers(deps)).version).toBe(1)
    expect(await events('config.change-refused.v1')).toMatchObject([
      {
        actorid: admin.userId,
        data: {
          key: 'subscription_tier_config',
          code: 'tier.invalid',
          reason: 'oops',
          errors: [{ message: expect.any(String) }],
        },
      },
    ])
  },
)
