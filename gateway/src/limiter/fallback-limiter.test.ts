import { expect, test } from 'vitest'
import { compilePlan } from './account-plan.ts'
import { ReportedUsage } from './reported-usage.ts'
import { FallbackLimiter } from './fallback-limiter.ts'
import { testTiers } from '../../test/tiers.fixture.ts'

const NOW = Date.parse('2026-05-10T10:00:00Z')

function planWith(
  limits: Partial<Record<'burstLimit' | 'requestsPerMinute' | 'concurrentRequests', number>>,
  nowMs = NOW,
) {
  const rate_limits = { ...testTiers.pro.rateLimits, burstLimit: 1_000, requestsPerMinute: 1_000, ...limits }
  const record = {
    account_id: 'a',
    version: 1,
    tier: 'pro',
    anchor: '2026-01-01T00:00:00Z',
    trial_ends_at: null,
  } as const
  return compilePlan({ ...record, rate_limits, time_zone: 'UTC' }, testTiers, nowMs)
}

const minuteUsage = (minute: number, atMs = NOW) => ({
  atMs,
  redisMs: atMs,
  used: [0, minute, 0, 0, 0],
  resetMs: [0, 60_000, 0, 0, 0],
})
const minuteUsed = (minute: number) => new ReportedUsage(minuteUsage(minute))

/** How many of a thousand simultaneous requests the share admits. */
function admittedAt(share: FallbackLimiter, nowMs: number, plan: ReturnType<typeof planWith>): number {
  let admitted = 0
  for (let n = 0; n < 1_000; n += 1) {
    if (share.decide({ nowMs, plan, kid: 'x', openHere: 0 }).verdict === 'admitted') admitted += 1
  }
  return admitted
}

test('each gateway has its share of the remaining limit, at least one, and 0 of an exhausted limit', () => {
  const plan = planWith({ requestsPerMinute: 100 })
  expect(admittedAt(new FallbackLimiter(minuteUsed(40), 3), NOW, plan)).toBe(20)
  expect(admittedAt(new FallbackLimiter(minuteUsed(98), 3), NOW, plan)).toBe(1)
  expect(admittedAt(new FallbackLimiter(minuteUsed(100), 3), NOW, plan)).toBe(0)
  expect(admittedAt(new FallbackLimiter(new ReportedUsage(), 3), NOW, plan)).toBe(33)
})

test('requests from before the outage leave the window; those admitted by the share remain counted', () => {
  const plan = planWith({ requestsPerMinute: 100 })
  const share = new FallbackLimiter(minuteUsed(90), 1)
  expect(admittedAt(share, NOW + 30_000, plan)).toBe(10)
  expect(admittedAt(share, NOW + 60_999, plan)).toBe(0)
  expect(admittedAt(share, NOW + 61_000, plan)).toBe(90)
  expect(admittedAt(share, NOW + 91_000, plan)).toBe(10)
})

test('the concurrency limit is shared as well', () => {
  const share = new FallbackLimiter(new ReportedUsage(), 2)
  const plan = planWith({ concurrentRequests: 4 })
  const verdicts = [0, 1, 2, 3].map((openHere) => share.decide({ nowMs: NOW, plan, kid: 'x', openHere }).verdict)
  expect(verdicts).toEqual(['admitted', 'admitted', 'denied', 'denied'])
})

test('every decision of the share is marked', () => {
  expect(
    new FallbackLimiter(new ReportedUsage(), 1).decide({ nowMs: NOW, plan: planWith({}), kid: 'x', openHere: 0 })
      .isDegraded,
  ).toBe(true)
})

test('admissions are merged once, later ones with the next merge', () => {
  const plan = planWith({ burstLimit: 2 })
  const share = new FallbackLimiter(new ReportedUsage(), 1)
  admittedAt(share, NOW, plan)
  const first = share.toMerge('one')
  expect(first.rings.slice(0, 3)).toEqual([1, NOW / 100, 2])
  expect(first.usage).toEqual(
    [NOW / 60_000, 'x', 'admitted', 2, NOW / 60_000, 'x', 'denied', 998].map((part) =>
      typeof part === 'number' && part > 1_000 ? String(part) : part,
    ),
  )
  share.decide({ nowMs: NOW + 2_000, plan, kid: 'x', openHere: 0 })
  expect(share.toMerge('two').id).toBe('one')
  share.merged()
  const second = share.toMerge('three')
  expect([second.id, second.month, second.usage.at(-1)]).toEqual(['three', 1, 1])
  expect([first.sinceMs, second.sinceMs]).toEqual([NOW, NOW + 2_000])
  share.merged()
  expect(share.isEmpty()).toBe(true)
})

test('a merge that arrives after the start of a month uses nothing of the new month', () => {
  const [before, after] = [Date.parse('2026-05-31T23:59:59Z'), Date.parse('2026-06-01T00:00:01Z')]
  const share = new FallbackLimiter(new ReportedUsage(), 1)
  for (let n = 0; n < 3; n += 1) share.decide({ nowMs: before, plan: planWith({}, before), kid: 'x', openHere: 0 })
  const late = share.toMerge('may')
  share.decide({ nowMs: after, plan: planWith({}, after), kid: 'x', openHere: 0 })
  share.merged()
  expect([late.month, share.toMerge('june').month]).toEqual([3, 1])
})

test('while the counters are missing, the share remains the limit', () => {
  const plan = planWith({ requestsPerMinute: 10 })
  const share = new FallbackLimiter(new ReportedUsage(), 1)
  expect(admittedAt(share, NOW, plan)).toBe(10)
  share.windowsKept(share.toMerge('one'))
  expect([share.isEmpty(), admittedAt(share, NOW + 1, plan)]).toEqual([false, 0])
  const again = share.toMerge('two')
  expect([again.sinceMs, again.month, again.usage.slice(2)]).toEqual([NOW, 10, ['denied', 1_000]])
})

test('a share is granted once: neither a merge nor a late reply increases it', () => {
  const plan = planWith({ requestsPerMinute: 100 })
  const usage = minuteUsed(90)
  const share = new FallbackLimiter(usage, 1)
  expect(admittedAt(share, NOW, plan)).toBe(10)
  const late = { redisMs: NOW, kid: 'x', keyId: '', kind: 'admitted' } as const
  for (let n = 0; n < 4; n += 1) share.countedByRedis(late, NOW)
  const merge = share.toMerge('one')
  expect([merge.month, merge.rings.slice(3, 6)]).toEqual([6, [2, NOW / 1_000, 6]])
  share.merged()
  usage.record(minuteUsage(96))
  expect(admittedAt(share, NOW + 20_000, plan)).toBe(0)
})

test('a reply that reports a full limit ends the share until the window has passed', () => {
  const plan = planWith({ requestsPerMinute: 100 })
  const usage = minuteUsed(0)
  const share = new FallbackLimiter(usage, 1)
  share.decide({ nowMs: NOW, plan, kid: 'x', openHere: 0 })
  usage.record(minuteUsage(100, NOW + 5_000))
  const denied = share.decide({ nowMs: NOW + 6_000, plan, kid: 'x', openHere: 0 })
  expect([denied.verdict, denied.used[1], denied.retryAfterMs]).toEqual(['denied', 100, 59_000])
  expect(admittedAt(share, NOW + 65_999, plan)).toBe(0)
  expect(admittedAt(share, NOW + 66_000, plan)).toBe(100)
})

test('the reply of a merge that is older than the last reply lowers no count', () => {
  const usage = minuteUsed(100)
  usage.recordMerged({ ...minuteUsage(40), redisMs: NOW - 1 })
  expect(usage.usedAt(1, NOW, planWith({}))).toBe(100)
  usage.recordMerged({ ...minuteUsage(40), redisMs: NOW + 1 })
  expect(usage.usedAt(1, NOW, planWith({}))).toBe(40)
})

test('usage cells match the answers: what Redis counted for a late reply is subtracted', () => {
  const plan = planWith({ requestsPerMinute: 1 })
  const share = new FallbackLimiter(new ReportedUsage(), 1)
  const request = { nowMs: NOW, plan, kid: 'x', openHere: 0 }
  const late = { redisMs: NOW + 60_000, kid: 'x', keyId: '' }
  expect([share.decide(request).verdict, share.decide(request).verdict]).toEqual(['admitted', 'denied'])
  share.countedByRedis({ ...late, kind: 'denied' }, NOW)
  share.countedByRedis({ ...late, kind: 'admitted' }, undefined)
  const merge = share.toMerge('one')
  const [minute, next] = [String(NOW / 60_000), String(NOW / 60_000 + 1)]
  const expected = [
    [minute, 'x', 'admitted', 1],
    [minute, 'x', 'denied', 1],
    [next, 'x', 'denied', -1],
    [next, 'x', 'admitted', -1],
  ]
  expect([merge.month, merge.usage]).toEqual([1, expected.flat()])
})
