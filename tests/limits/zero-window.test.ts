import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { AT_ONCE, prepareChanges, type PreparedChanges } from './prepare-changes.ts'
import { UNAVAILABLE, watchChange } from './watch-change.ts'

const platform = runningPlatform()
const TRIALS = 20
const RATE = { perSecond: 60, openMax: 12 }

let changes: PreparedChanges

beforeAll(async () => {
  changes = await prepareChanges(platform)
})
afterAll(() => changes?.end())

test.each(AT_ONCE)('%s: no request at any gateway that starts after the answer sees what was before', async (name) => {
  const { gatewayUrls } = platform
  const steps = await watchChange(changes.named(name), { gatewayUrls, trials: TRIALS, rate: RATE })
  for (const { step, trials, late, odd, proven } of steps) {
    expect(late, step).toEqual([])
    expect(trials, step).toBe(TRIALS)
    // A machine with much else to do may be without a service or Redis for a moment; the other trials prove it.
    expect(Object.keys(odd).filter((state) => !UNAVAILABLE.includes(state))).toEqual([])
    expect(proven, step).toBeGreaterThanOrEqual(TRIALS / 2)
  }
})
