import type { Actor } from '@tapeline/contracts/actor'
import { someUser } from '@tapeline/testing/actors'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { migrations } from '../migrations/all.ts'
import { readTiers } from './read-tiers.ts'
import type { Tables } from '../tables.ts'
import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'
import { seedTiers, writeTiers } from './write-tiers.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
afterAll(drop)
beforeEach(async () => {
  await db.deleteFrom('tier_document').execute()
  await db.deleteFrom('outbox').execute()
})
const deps = {
  db,
  now: () => new Date(),
  newId: () => crypto.randomUUID(),
  raiseVersion: async () => true,
  findEmailState: async () => undefined,
}
const seed = { kind: 'service', service: 'config' } as const

function priced(monthlyPrice: number) {
  const { yearlyDiscount: _stated, ...billing } = tierDocuments.basic.billing
  return { ...tierDocuments, basic: { ...tierDocuments.basic, billing: { ...billing, monthlyPrice } } }
}

function write(documents: unknown, actor: Actor = seed) {
  return writeTiers(deps, actor, { documentsAfter: () => documents })
}

function listVersions() {
  return db.selectFrom('outbox').select('envelope').where('topic', '=', 'config').orderBy('position').execute()
}

test('every change is a new version that gateways receive; unchanged documents are not', async () => {
  expect(await write(tierDocuments)).toEqual({ version: 1, tiers: tierDocuments, shadow: {} })
  expect((await write(tierDocuments)).version).toBe(1)
  expect((await write(priced(30))).version).toBe(2)
  expect(await readTiers(deps)).toMatchObject({ version: 2, tiers: priced(30) })
  expect(await listVersions()).toMatchObject(
    [1, 2].map((version) => ({ envelope: { type: 'config.tiers-changed.v2', subject: 'tiers', data: { version } } })),
  )
})

test('concurrent changes each get a version', async () => {
  await write(tierDocuments)
  const written = await Promise.all([31, 32].map((price) => write(priced(price))))
  expect(new Set(written.map(({ version }) => version))).toEqual(new Set([2, 3]))
})

test('invalid documents are not stored', async () => {
  await expect(write({ ...tierDocuments, pro: {} })).rejects.toMatchObject({ code: 'tier.invalid' })
  await expect(readTiers(deps)).rejects.toMatchObject({ code: 'service.unavailable' })
  expect(await listVersions()).toEqual([])
})

test('a seed follows its source until a user has changed the documents', async () => {
  await seedTiers(deps, seed, tierDocuments)
  expect((await seedTiers(deps, seed, tierDocuments)).version).toBe(1)
  expect((await seedTiers(deps, seed, priced(30))).version).toBe(2)
  await write(priced(35), someUser({ role: 'admin' }))
  expect(await seedTiers(deps, seed, priced(40))).toEqual({ version: 3, tiers: priced(35), shadow: {} })
})
