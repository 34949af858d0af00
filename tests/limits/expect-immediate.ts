import { expect } from 'vitest'
import type { Change } from './change.ts'
import { UNAVAILABLE, watchChange } from './watch-change.ts'

const RATE = { perSecond: 60, openMax: 12 }

/** Fails unless no request that starts after the change's response gets the previous state, at any gateway. */
export async function expectImmediate(change: Change, gatewayUrls: readonly string[], trials: number): Promise<void> {
  for (const watched of await watchChange(change, { gatewayUrls, trials, rate: RATE })) {
    expect(watched.late, watched.step).toEqual([])
    expect(watched.trials, watched.step).toBe(trials)
    // On a busy machine a service or Redis may be unavailable for a moment; the other trials prove it.
    expect(Object.keys(watched.odd).filter((state) => !UNAVAILABLE.includes(state))).toEqual([])
    expect(watched.proven, watched.step).toBeGreaterThanOrEqual(trials / 2)
  }
}
