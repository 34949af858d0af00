import { fixedSettings } from '@tapeline/service/platform-settings'
import { someUser } from '@tapeline/testing/actors'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import { readPlatformSnapshot } from '../read-platform-snapshot.ts'
import { startFlagClock } from './start-flag-clock.ts'
import { publishFlagFlips } from './publish-flag-flips.ts'

let app: Awaited<ReturnType<typeof openTestApp>>
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const HOUR_MS = 3_600_000
const admin = someUser({ role: 'admin' })
const at = (hours: number) => new Date(app.clock.nowMs + hours * HOUR_MS).toISOString()
const flips = async () => (await app.events('config.flag-flipped.v1')).map(({ data }) => data)
const create = async (flag: object) => {
  const { status } = await app.call(admin, 'POST', '/api/v1/admin/feature-flags', flag)
  expect(status).toBe(201)
}

test('a scheduled start and end are published once each, also with two processes', async () => {
  await publishFlagFlips(app.deps)
  const [from, until] = [at(1), at(2)]
  await create({ flag_key: 'sale', enabled_from: from, enabled_until: until })
  await create({ flag_key: 'off_anyway', enabled: false, enabled_from: from })
  await create({ flag_key: 'later', enabled_from: at(24) })
  expect(await publishFlagFlips(app.deps)).toBe(0)
  app.clock.nowMs += HOUR_MS
  const counts = await Promise.all([publishFlagFlips(app.deps), publishFlagFlips(app.deps)])
  expect(counts.toSorted()).toEqual([0, 1])
  expect(await flips()).toMatchObject([{ flag_key: 'sale', role: 'user', is_on: true, at: from }])
  app.clock.nowMs += 2 * HOUR_MS
  expect(await publishFlagFlips(app.deps)).toBe(1)
  expect((await flips()).slice(1)).toMatchObject([{ flag_key: 'sale', is_on: false, at: until }])
})

test('the running clock publishes a flip on time', async () => {
  await create({ flag_key: 'watched', enabled_from: at(1) })
  const snapshot = await readPlatformSnapshot(app.deps)
  const clock = startFlagClock({ ...app.deps, settings: fixedSettings(snapshot) }, silentLogger)
  const before = (await flips()).length
  app.clock.nowMs += HOUR_MS
  await waitUntil('the flip is published', async () => (await flips()).length > before)
  await clock.stop()
  expect((await flips()).at(-1)).toMatchObject({ flag_key: 'watched', is_on: true })
})
