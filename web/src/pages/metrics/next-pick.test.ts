import type { UsagePoint } from '@tapeline/contracts/audit/http'
import { describe, expect, test } from 'vitest'
import { bucketOf, nextPick } from './next-pick.ts'

const COUNTS = { total: 1, success: 1, failed: 0, denied: 0, client_errors: 0, server_errors: 0 }

/** Buckets of this many minutes from 10:00 on; `failed` names those with a failed request. */
function seriesOf(minutes: number, count: number, failed: readonly number[] = []): UsagePoint[] {
  const at = (n: number) => new Date(Date.UTC(2026, 0, 5, 10, n * minutes)).toISOString()
  return Array.from({ length: count }, (_, n) => ({
    ...COUNTS,
    from: at(n),
    to: at(n + 1),
    partial: false,
    failed: failed.includes(n) ? 1 : 0,
    latency_ms: null,
  }))
}

describe('the bucket of a span', () => {
  const span = (from: string, to: string) => ({ from: `2026-01-05T${from}`, to: `2026-01-05T${to}` })

  test('contains the span, or is the first bucket within it', () => {
    expect(bucketOf(seriesOf(1, 30), span('10:07:00Z', '10:08:00Z'))).toBe(7)
    expect(bucketOf(seriesOf(5, 6), span('10:07:00Z', '10:08:00Z'))).toBe(1)
    expect(bucketOf(seriesOf(5, 6), span('11:10:00+01:00', '11:11:00+01:00'))).toBe(2)
    expect(bucketOf(seriesOf(5, 6), span('09:00:00Z', '11:00:00Z'))).toBe(0)
  })

  test('is undefined outside of the series and without a span', () => {
    expect(bucketOf(seriesOf(5, 6), span('10:30:00Z', '10:31:00Z'))).toBeUndefined()
    expect(bucketOf(seriesOf(5, 6), span('09:59:00Z', '10:00:00Z'))).toBeUndefined()
    expect(bucketOf(seriesOf(5, 6), undefined)).toBeUndefined()
  })
})

describe('the bucket that a key leads to', () => {
  const series = seriesOf(1, 5, [1, 3])
  test.each([
    ['ArrowLeft', false, undefined, 4],
    ['ArrowLeft', false, 0, 0],
    ['ArrowLeft', true, undefined, 3],
    ['ArrowLeft', true, 3, 1],
    ['ArrowLeft', true, 1, undefined],
    ['ArrowRight', false, 4, 4],
    ['ArrowRight', true, undefined, 1],
    ['Home', false, 3, 0],
    ['End', false, 0, 4],
    ['a', false, 0, undefined],
  ])('%s, Shift %s, from %s: %s', (key, shiftKey, picked, expected) => {
    expect(nextPick({ key, shiftKey }, picked, series)).toBe(expected)
  })
})
