import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadScripts, redis } from '../../gateway/test/limiter-scripts.fixture.ts'
import {
  inDecisionOrder,
  recordedRequest,
  type RecordedRequest,
} from '../../services/audit/src/replay/recorded-request.ts'
import { AccountReplay, type Proposal, type Replayed } from '../../services/audit/src/replay/replay-account.ts'
import { FROM_MS, recordTwoDays, type RecordedEvent } from './recorded-day.fixture.ts'

beforeAll(loadScripts)
afterAll(() => redis.quit())

function requestsOf(events: readonly RecordedEvent[]): RecordedRequest[] {
  const rows = events.map(({ time, data }) =>
    recordedRequest({
      request_id: data.request_id,
      time_ms: Date.parse(time),
      key_id: data.key_id,
      tier: data.tier,
      latency_us: data.latency_us,
      decision: data.decision,
    }),
  )
  return rows.flatMap((row) => (row === undefined ? [] : [row])).toSorted(inDecisionOrder)
}

function replay(events: readonly RecordedEvent[], proposal: Proposal): { request: RecordedRequest; again: Replayed }[] {
  const account = new AccountReplay(proposal)
  return requestsOf(events).map((request) => ({ request, again: account.decide(request) }))
}

const unchanged: Proposal = { tier: 'basic', rateLimits: {}, fromMs: FROM_MS }
const inPeriod = ({ request }: { request: RecordedRequest }) => request.timeMs >= FROM_MS

test('with unchanged limits every recorded decision is reproduced, counts and waiting times included', async () => {
  const { events } = await recordTwoDays(false)
  const decided = replay(events, unchanged).filter(inPeriod)
  const denied = decided.filter(({ request }) => !request.isAdmitted)
  expect(decided.length).toBeGreaterThan(2_000)
  expect(denied.length).toBeGreaterThan(200)
  expect(denied.some(({ request }) => (request.key?.mask ?? 0) > 0)).toBe(true)
  expect(denied.some(({ request }) => (request.account.mask & 32) > 0)).toBe(true)
  expect(new Set(decided.map(({ again }) => again.check))).toEqual(new Set(['same']))
  expect(decided.filter(({ request, again }) => again.isAdmitted !== request.isAdmitted)).toEqual([])
})

test('degraded minutes keep their verdicts, and their later merged counts are reproduced', async () => {
  const { events } = await recordTwoDays(true)
  const decided = replay(events, unchanged).filter(inPeriod)
  expect(decided.filter(({ again }) => again.check === 'degraded')).toHaveLength(40)
  expect(decided.filter(({ again }) => again.check === 'different')).toEqual([])
  expect(decided.filter(({ request, again }) => again.isAdmitted !== request.isAdmitted)).toEqual([])
})

test('a smaller limit rejects exactly the requests that a count over admitted requests determines', async () => {
  const { events } = await recordTwoDays(false)
  const rateLimits = { requestsPerMinute: 12, burstLimit: 2 }
  const decided = replay(events, { ...unchanged, rateLimits })
  const admitted: number[] = []
  const wrong: string[] = []
  for (const { request, again } of decided) {
    const since = (cells: number, ms: number) => {
      const oldest = Math.floor(request.timeMs / ms) - cells + 1
      return admitted.filter((timeMs) => Math.floor(timeMs / ms) >= oldest).length
    }
    const isProposed = request.tier === 'basic' && request.timeMs >= FROM_MS
    if (isProposed) {
      const expected =
        Number(since(11, 100) >= rateLimits.burstLimit) + 2 * Number(since(61, 1_000) >= rateLimits.requestsPerMinute)
      if ((again.mask & 3) !== expected) wrong.push(request.requestId)
    }
    if (again.isAdmitted) admitted.push(request.timeMs)
    if (admitted.length > 200) admitted.shift()
  }
  expect(wrong).toEqual([])
  const newly = decided.filter(({ request, again }) => request.isAdmitted && !again.isAdmitted)
  expect(newly.length).toBeGreaterThan(100)
})
