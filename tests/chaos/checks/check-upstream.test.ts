import { expect, test } from 'vitest'
import { checkUpstream, type UpstreamEvidence } from './check-upstream.ts'

const numbered = (count: number, prefix: string) => Array.from({ length: count }, (_, n) => `${prefix}${n}`)
const rejection = { startMs: 1_000, endMs: 1_010, retryAfter: '1' }
/** 100 requests and 10 retries; after both breakers opened, 2 of 200 requests reach the service. */
const right: UpstreamEvidence = {
  partly: [...numbered(100, 'p'), ...numbered(10, 'p')],
  whole: numbered(2, 'w'),
  requests: numbered(200, 'w').map((requestId) => ({ account: 'a', requestId, startMs: 2_500, endMs: 2_510 })),
  rejections: [[{ ...rejection, requestId: 'r1' }], [{ ...rejection, requestId: 'r2', endMs: 1_200 }]],
  outage: { startMs: 500, endMs: 5_000 },
  gateways: 2,
}
const brokenIn = (change: Partial<UpstreamEvidence>) =>
  checkUpstream({ ...right, ...change }).checks.flatMap(({ guarantee, broken }) =>
    broken.length > 0 ? [guarantee] : [],
  )

test('retries within the budget and breakers that stop 99 % are accepted', () => {
  expect(brokenIn({})).toEqual([])
  expect(checkUpstream(right).figures).toMatchObject({ retried: 1.1, openedAfterMs: 700, stopped: 0.99 })
  expect(brokenIn({ partly: [...numbered(100, 'p'), ...numbered(12, 'p')] })).toEqual([])
})

test.each<[string, Partial<UpstreamEvidence>]>([
  ['the service receives at most', { partly: [...numbered(100, 'p'), ...numbered(13, 'p')] }],
  ['failed requests are retried', { partly: numbered(100, 'p') }],
  ['one second after the breakers opened', { whole: numbered(3, 'w') }],
  ['one second after the breakers opened', { requests: right.requests.map((one) => ({ ...one, startMs: 2_199 })) }],
  ['every request that a breaker rejects', { rejections: [[{ ...rejection, requestId: 'r', retryAfter: null }]] }],
])('reported: %s', (guarantee, change) => {
  expect(brokenIn(change)).toEqual([expect.stringContaining(guarantee)])
})
