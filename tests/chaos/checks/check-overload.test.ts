import { expect, test } from 'vitest'
import { checkOverload, type OverloadEvidence } from './check-overload.ts'
import type { ClientRequest } from '../history.ts'

const full = { startMs: 0, endMs: 10_000 }
const overload = { startMs: 10_000, endMs: 20_000 }
const afterwards = { startMs: 20_000, endMs: 30_000 }

const at = (startMs: number, more: Partial<ClientRequest> = {}): ClientRequest => ({
  account: 'a',
  startMs,
  endMs: startMs + 100,
  status: 200,
  ...more,
})
/** So many in each of these seconds. */
const each = (perSecond: number, phase: { startMs: number; endMs: number }, more: Partial<ClientRequest> = {}) =>
  Array.from({ length: (perSecond * (phase.endMs - phase.startMs)) / 1_000 }, (_, n) =>
    at(phase.startMs + Math.floor((n * 1_000) / perSecond), more),
  )
const rejected = { status: 503, retryAfter: '3' }
const pro = [full, overload, afterwards].flatMap((phase) => each(20, phase))
const crowd = [...each(80, overload), ...each(210, overload, rejected)]
const free = [...each(80, full), ...crowd, ...each(80, afterwards)]
const right: OverloadEvidence = { pro, free, full, overload, afterwards }
const brokenIn = (wrong: Partial<OverloadEvidence>) =>
  checkOverload({ ...right, ...wrong })
    .checks.filter(({ broken }) => broken.length > 0)
    .map(({ guarantee }) => guarantee.replace(/:.*/s, ''))

/** Of those that began in a phase, these are so instead. */
const those = (
  requests: readonly ClientRequest[],
  { startMs, endMs }: { startMs: number; endMs: number },
  more: (one: ClientRequest) => Partial<ClientRequest>,
) => requests.map((one) => (one.startMs >= startMs && one.startMs < endMs ? { ...one, ...more(one) } : one))

test('an overload that affected only free callers, and only while it lasted, is accepted', () => {
  expect(brokenIn({})).toEqual([])
  expect(checkOverload(right).figures).toMatchObject({ times: expect.closeTo(3.1, 1), goodput: expect.closeTo(1, 1) })
  const inTime = those(free, { startMs: 20_000, endMs: 24_000 }, () => rejected)
  expect(brokenIn({ free: inTime })).toEqual([])
  expect(checkOverload({ ...right, free: inTime }).figures['normalAfterMs']).toBeGreaterThan(3_500)
})

test('one rejection in hundreds counts as normal operation, before and after an overload', () => {
  const one = [...free, at(29_000, rejected)]
  expect(brokenIn({ free: one })).toEqual([])
  expect(checkOverload({ ...right, free: one }).figures['normalAfterMs']).toBe(0)
})

test.each<[string, Partial<OverloadEvidence>]>([
  ['before it almost no request is rejected', { free: those(free, { startMs: 500, endMs: 700 }, () => rejected) }],
  ['the load was an overload', { free: free.filter((one, n) => one.status !== 503 || n % 10 > 0) }],
  ['the load was an overload', { free: those(free, overload, () => ({ status: 200 })) }],
  ['radius', { free: [...free, at(15_000, { status: 500 })] }],
  ['radius', { free: [...free, at(15_000, { status: 503 })] }],
  ['radius', { free: [...free, { account: 'a', startMs: 15_000, endMs: 15_100 }] }],
  ['goodput', { free: those(free, overload, ({ startMs }) => (startMs % 1_000 < 200 ? rejected : {})) }],
  ['pro', { pro: those(pro, { startMs: 12_000, endMs: 12_150 }, () => rejected) }],
  ['pro', { pro: pro.filter(({ startMs }) => startMs < 10_000 || startMs >= 20_000) }],
  ['99 of 100 served within 250 ms', { pro: those(pro, overload, ({ startMs }) => ({ endMs: startMs + 300 })) }],
  ['normal afterwards', { free: those(free, { startMs: 25_000, endMs: 25_200 }, () => rejected) }],
  ['normal afterwards', { pro: [...pro, at(25_001, rejected)] }],
  ['normal afterwards', { free: those(free, { startMs: 25_000, endMs: 30_000 }, () => ({ endMs: 31_000 })) }],
])('%s: reported when it is violated', (guarantee, wrong) => {
  expect(brokenIn(wrong)).toContain(guarantee)
})
