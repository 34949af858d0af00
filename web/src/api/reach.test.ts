import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createReach } from './reach.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_000 }))
afterEach(() => void vi.useRealTimers())

/** An API that can be switched off. */
function someApi() {
  const api = { isThere: true, probes: 0, returns: 0 }
  const reach = createReach({
    probe: async () => {
      api.probes += 1
      if (!api.isThere) throw new Error('no answer')
      reach.answered()
    },
    onReturn: () => void (api.returns += 1),
    now: () => Date.now(),
  })
  return { api, reach }
}

test('one call that gets no answer while others do is no outage', async () => {
  const { api, reach } = someApi()
  reach.missed()
  await vi.advanceTimersByTimeAsync(60_000)
  expect([reach.get().isAway, api.probes, api.returns]).toEqual([false, 1, 0])
})

test('an API without answers counts as unreachable since its last answer, is probed, and is used again once it answers', async () => {
  const { api, reach } = someApi()
  reach.answered()
  api.isThere = false
  reach.missed()
  reach.missed()
  await vi.advanceTimersByTimeAsync(12_000)
  expect(reach.get()).toEqual({ isOffline: false, isAway: true, answeredAtMs: 1_000 })
  expect(api.probes).toBe(3)
  api.isThere = true
  await vi.advanceTimersByTimeAsync(5_000)
  expect([reach.get().isAway, api.returns]).toEqual([false, 1])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(api.probes).toBe(4)
})

test('a browser without network is reported at once, and its recovery only after an answer', async () => {
  const { api, reach } = someApi()
  reach.setOnline(false)
  expect(reach.get()).toMatchObject({ isOffline: true })
  api.isThere = false
  reach.setOnline(true)
  await vi.advanceTimersByTimeAsync(1_000)
  expect([reach.get(), api.returns]).toEqual([{ isOffline: false, isAway: true, answeredAtMs: undefined }, 0])
  api.isThere = true
  await vi.advanceTimersByTimeAsync(5_000)
  expect([reach.get().isAway, api.returns]).toEqual([false, 1])
})
