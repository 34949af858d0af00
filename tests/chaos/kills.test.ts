import { afterAll, beforeAll, test, vi } from 'vitest'
import { startWiredPlatform, type WiredPlatform } from './drill.ts'
import { expectDrillHeld, KILLS } from './expect-drill-held.ts'
import { killDuringLoad, KILLED_PROCESSES } from './drills/kill-under-load.ts'

vi.setConfig({ testTimeout: 300_000 })
let wired: WiredPlatform

beforeAll(async () => {
  wired = await startWiredPlatform()
})
afterAll(() => wired?.stop())

test.each(KILLED_PROCESSES)('killing %s three times loses no answered request and counts none twice', async (name) => {
  const victims = Array.from({ length: KILLS }, () => name)
  await expectDrillHeld(wired, (field) => killDuringLoad(field, victims))
})
