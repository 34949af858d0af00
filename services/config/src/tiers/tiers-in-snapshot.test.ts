import { type Feature, FEATURES } from '@tapeline/contracts/config/tiers'
import { firstTierWith, includedIn } from '@tapeline/service/settings/included-in'
import { fixedSettings } from '@tapeline/service/platform-settings'
import { someUser } from '@tapeline/testing/actors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import { readPlatformSnapshot } from '../read-platform-snapshot.ts'
import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'
import { seedTiers } from './write-tiers.ts'

let app: Awaited<ReturnType<typeof openTestApp>>
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const admin = someUser({ role: 'admin' })
const read = async () => {
  const snapshot = await readPlatformSnapshot(app.deps)
  if (snapshot === undefined) throw new Error('there is no snapshot')
  return { version: snapshot.version, settings: fixedSettings(JSON.parse(JSON.stringify(snapshot))) }
}

test('limits and features in every process follow an edit of the tier documents', async () => {
  expect(includedIn((await read()).settings, 'dataExport')).toBe('See the pricing page for the plan that includes it.')
  await seedTiers(app.deps, { kind: 'service', service: 'config' }, tierDocuments)
  const seeded = await read()
  expect(includedIn(seeded.settings, 'dataExport')).toBe('The Basic plan includes it.')
  await seedTiers(app.deps, { kind: 'service', service: 'config' }, tierDocuments)
  expect((await read()).version).toBe(seeded.version)

  const { basic, pro } = tierDocuments
  const tiers = {
    ...tierDocuments,
    basic: { ...basic, features: { ...basic.features, dataExport: false } },
    pro: { ...pro, display: { ...pro.display, name: 'Desk' } },
  }
  expect((await app.call(admin, 'PUT', '/api/v1/admin/tiers', { tiers, version: 1 })).status).toBe(200)
  const edited = await read()
  expect(edited.version).toBeGreaterThan(seeded.version)
  expect(includedIn(edited.settings, 'dataExport')).toBe('The Desk plan includes it.')
  expect(firstTierWith(edited.settings, 'dataExport')).toBe('pro')
  const [event] = (await app.events('config.tiers-changed.v2')).slice(-1)
  expect(event?.data).toMatchObject({ version: 2, platform_version: edited.version })
  expect(await readPlatformSnapshot(app.deps, edited)).toBeUndefined()
})

test('a feature that no tier includes is reported as such', async () => {
  const { settings } = await read()
  const excluded = FEATURES.filter((feature: Feature) => includedIn(settings, feature).startsWith('No plan'))
  const { free, basic, pro } = tierDocuments
  expect(excluded).toEqual(FEATURES.filter((one) => ![free, basic, pro].some(({ features }) => features[one])))
  expect(excluded.length).toBeGreaterThan(0)
})

test('tier documents of an unsupported format leave the last valid ones in effect', () => {
  const snapshot = { version: 1, flags: [], configs: { subscription_tier_config: { value: {}, is_public: false } } }
  const settings = fixedSettings(snapshot)
  expect(settings.tiers()).toBeUndefined()
  expect(settings.report().refused).toBe(1)
})
