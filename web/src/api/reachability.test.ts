import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createReachability } from './reachability.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_000 }))
afterEach(() => void vi.useRealTimers())

/** An API that can be switched off. */
function someApi() {
  const api = { isThere: true, probes: 0, returns: 0 }
  const reachability = createReachability({
    probe: async () => {
      api.probes += 1
      if (!api.isThere) throw new Error('no answer')
      reachability.reportAnswer()
    },
    onReturn: () => void (api.returns += 1),
    now: () => Date.now(),
  })
  return { api, reachability }
}

test('one call that gets no answer while others do is not an outage', async () => {
  const { api, reachability } = someApi()
  reachability.reportFailure()
  await vi.advanceTimersByTimeAsync(60_000)
  expect([reachability.get().isUnreachable, api.probes, api.returns]).toEqual([false, 1, 0])
})

test('an API without answers counts as unreachable since its last answer, is probed, and is used again once it answers', async () => {
  const { api, reachability } = someApi()
  reachability.reportAnswer()
  api.isThere = false
  reachability.reportFailure()
  reachability.reportFailure()
  await vi.advanceTimersByTimeAsync(12_000)
  expect(reachability.get()).toEqual({ isOffline: false, isUnreachable: true, answeredAtMs: 1_000 })
  expect(api.probes).toBe(3)
  api.isThere = true
  await vi.advanceTimersByTimeAsync(5_000)
  expect([reachability.get().isUnreachable, api.returns]).toEqual([false, 1])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(api.probes).toBe(4)
})

test('a browser without network is reported at once, and its recovery only after an answer', async () => {
  const { api, reachability } = someApi()
  reachability.setOnline(false)
  expect(reachability.get()).toMatchObject({ isOffline: true })
  api.isThere = false
  reachability.setOnline(true)
  await vi.advanceTimersByTimeAsync(1_000)
  expect([reachability.get(), api.returns]).toEqual([
    { isOffline: false, isUnreachable: true, answeredAtMs: undefined },
    0,
  ])
  api.isThere = true
  await vi.advanceTimersByTimeAsync(5_000)
  expect([reachability.get().isUnreachable, api.returns]).toEqual([false, 1])
})
