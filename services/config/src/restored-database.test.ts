import { PlatformSnapshot } from '@tapeline/contracts/config/platform-settings'
import { TierSnapshot } from '@tapeline/contracts/config/http'
import { isCurrent, SnapshotCache, type Versioned } from '@tapeline/service/settings/snapshot-cache'
import { someUser } from '@tapeline/testing/actors'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { openTestApp } from '../test/app.fixture.ts'
import { createFlag } from './flags/create-flag.ts'
import { migrations } from './migrations/all.ts'
import { readPlatformSnapshot } from './read-platform-snapshot.ts'
import type { Tables } from './tables.ts'
import { readTiers } from './tiers/read-tiers.ts'
import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'
import { seedTiers, writeTiers } from './tiers/write-tiers.ts'

const dir = mkdtempSync(join(tmpdir(), 'tapeline-restored-'))
const { deps, close } = await openTestApp()
const admin = someUser({ role: 'admin' })
await seedTiers(deps, { kind: 'service', service: 'config' }, tierDocuments)
const backup = await openTestDatabase<Tables>(migrations)
const restored = { ...deps, db: backup.db }
await restore()
afterAll(async () => {
  rmSync(dir, { recursive: true, force: true })
  await Promise.all([close(), backup.drop()])
})

/** Restores every row, as a dump would. */
async function restore(): Promise<void> {
  const version = await deps.db.selectFrom('platform_version').selectAll().executeTakeFirstOrThrow()
  await backup.db.updateTable('platform_version').set(version).execute()
  const tiers = await deps.db.selectFrom('tier_document').selectAll().execute()
  const rows = tiers.map(({ config, shadow, ...row }) => ({
    ...row,
    config: JSON.stringify(config),
    shadow: JSON.stringify(shadow),
  }))
  await backup.db.insertInto('tier_document').values(rows).execute()
}

const warnings: unknown[] = []
const logger = { ...silentLogger, warn: (about: unknown) => warnings.push(about) } as typeof silentLogger
const priced = (monthlyPrice: number) => {
  const { free, basic, pro, metadata } = tierDocuments
  const billing = { ...basic.billing, monthlyPrice, yearlyPrice: monthlyPrice * 10 }
  return { free, basic: { ...basic, billing }, pro, metadata }
}
const price = (tiers: typeof deps, monthlyPrice: number) =>
  writeTiers(tiers, admin, { documentsAfter: () => priced(monthlyPrice) })

test('after a restore all processes apply the older state, also once its versions have caught up', async () => {
  let owner = deps
  const file = join(dir, 'settings.json')
  const fetchSnapshot = (cached?: Versioned) => readPlatformSnapshot(owner, cached)
  const settings = new SnapshotCache({ name: 'settings', schema: PlatformSnapshot, file, fetchSnapshot, logger })
  const tiers = new SnapshotCache({
    name: 'tiers',
    schema: TierSnapshot,
    file: join(dir, 'tiers.json'),
    fetchSnapshot: async (cached) => {
      const stored = await readTiers(owner)
      return cached !== undefined && isCurrent(cached, stored) ? undefined : stored
    },
    logger,
  })
  onTestFinished(() => {
    settings.stop()
    tiers.stop()
  })
  const refresh = async () => {
    await settings.refresh()
    await tiers.refresh()
  }
  const flags = () => settings.snapshot?.flags.map(({ key }) => key)

  await Promise.all([settings.start(), tiers.start()])
  for (const flag_key of ['lost_one', 'lost_two']) await createFlag(deps, admin, { flag_key })
  await price(deps, 31)
  await refresh()
  const before = { settings: settings.snapshot?.version, tiers: tiers.snapshot?.version }
  expect(flags()).toEqual(['lost_one', 'lost_two'])
  expect(tiers.snapshot?.tiers.basic.billing.monthlyPrice).toBe(31)

  owner = restored
  await refresh()
  expect(flags()).toEqual([])
  expect(tiers.snapshot?.tiers).toEqual(tierDocuments)
  expect(warnings).toHaveLength(2)

  // The other processes made no request in between: for them the same versions have another content.
  owner = deps
  await refresh()
  warnings.length = 0
  for (const flag_key of ['new_one', 'new_two']) await createFlag(restored, admin, { flag_key })
  await price(restored, 33)
  owner = restored
  await refresh()
  expect({ settings: settings.snapshot?.version, tiers: tiers.snapshot?.version }).toEqual(before)
  expect(flags()).toEqual(['new_one', 'new_two'])
  expect(tiers.snapshot?.tiers.basic.billing.monthlyPrice).toBe(33)
  expect(warnings).toMatchObject([{ version: before.settings }, { version: before.tiers }])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(settings.snapshot)
  const same = settings.snapshot
  await refresh()
  expect(settings.snapshot).toBe(same)
})
