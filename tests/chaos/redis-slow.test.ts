import { afterAll, beforeAll, test } from 'vitest'
import { startWiredPlatform, type WiredPlatform } from './drill.ts'
import { expectDrillHeld } from './expect-drill-held.ts'
import { redisSlow } from './drills/redis-slow.ts'

let wired: WiredPlatform

beforeAll(async () => {
  wired = await startWiredPlatform(redisSlow.platform, redisSlow.wires)
})
afterAll(() => wired?.stop())

test('with slow replies of Redis a window admits its limit plus one share per gateway, and a full window admits nothing', async () => {
  await expectDrillHeld(wired, redisSlow.run)
})
