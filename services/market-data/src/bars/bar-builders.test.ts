import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createBarClock } from './bar-clock.ts'
import { type BarTrade, mergeTotals, totalsOf } from './bar-totals.ts'
import { createCountBarBuilder } from './count-bar-builder.ts'
import { compareExact, exactOf, productOf, quotientOf, sumOf, textOf } from './exact.ts'
import { createTimeBarBuilder } from './time-bar-builder.ts'

const MINUTE_NS = 60_000_000_000n
const DIGITS = 18
const RUNS = { seed: PROPERTY_SEED, numRuns: 200 }

/** Canonical decimals of very different sizes. */
const decimal = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.integer({ min: 0, max: 12 }))
  .map(([units, scale]) => textOf({ units, scale }))
const trades = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 200 }), decimal, decimal), { minLength: 1, maxLength: 60 })
  .map((rows) =>
    rows.map(([second, price, size], index): BarTrade => {
      return { tsEvent: String(BigInt(second) * 1_000_000_000n), sequence: String(index + 1), price, size }
    }),
  )

function inOrder(list: readonly BarTrade[]): BarTrade[] {
  return list.toSorted(
    (one, other) =>
      Number(BigInt(one.tsEvent) - BigInt(other.tsEvent)) || Number(one.sequence) - Number(other.sequence),
  )
}

describe('exact decimals', () => {
  test('sums and products are those of scaled whole numbers', () => {
    fc.assert(
      fc.property(decimal, decimal, (one, other) => {
        const [left, right] = [exactOf(one), exactOf(other)]
        const scaled = (text: string) =>
          BigInt(
            text.includes('.')
              ? text.replace('.', '') + '0'.repeat(24 - (text.split('.')[1] ?? '').length)
              : text + '0'.repeat(24),
          )
        expect(scaled(textOf(sumOf(left, right)))).toBe(scaled(one) + scaled(other))
        expect(scaled(textOf(productOf(left, right))) * 10n ** 24n).toBe(scaled(one) * scaled(other))
      }),
      RUNS,
    )
  })

  test('a quotient is within half a unit of its last digit', () => {
    fc.assert(
      fc.property(decimal, decimal, (one, other) => {
        const quotient = exactOf(quotientOf(exactOf(one), exactOf(other), DIGITS) ?? '')
        const product = productOf(quotient, exactOf(other))
        const error = sumOf(product, { ...exactOf(one), units: -exactOf(one).units })
        const bound = productOf(exactOf(one), { units: 5n, scale: DIGITS })
        const size = error.units < 0n ? { ...error, units: -error.units } : error
        expect(compareExact(size, bound)).toBeLessThanOrEqual(0)
      }),
      RUNS,
    )
  })

  test.each([
    ['1', '3', '0.333333333333333333'],
    ['2', '3', '0.666666666666666667'],
    ['-2', '3', '-0.666666666666666667'],
    ['1000000000000000005', '10', '100000000000000000'],
    ['1000000000000000015', '10', '100000000000000002'],
    ['0', '7', '0'],
    ['7', '0', undefined],
  ])('%s / %s is %s', (one, other, quotient) => {
    expect(quotientOf(exactOf(one), exactOf(other), DIGITS)).toBe(quotient)
  })
})

test('time bars do not depend on the order in which trades arrive', () => {
  const clock = createBarClock(MINUTE_NS, 'UTC')
  fc.assert(
    fc.property(
      trades.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
      ([list, shuffled]) => {
        const [one, other] = [createTimeBarBuilder(clock), createTimeBarBuilder(clock)]
        for (const trade of inOrder(list)) one.apply(trade)
        for (const trade of shuffled) other.apply(trade)
        const bars = one.release(10n ** 18n)
        expect(plain(other.release(10n ** 18n))).toEqual(plain(bars))
        expect(bars.reduce((count, { totals }) => count + totals.count, 0)).toBe(list.length)
      },
    ),
    RUNS,
  )
})

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? String(one) : one)))
}

test('a late trade does not start a released bar again', () => {
  const builder = createTimeBarBuilder(createBarClock(MINUTE_NS, 'UTC'))
  const trade = { tsEvent: '1000000000', sequence: '1', price: '1', size: '1' }
  expect(builder.apply(trade)?.totals.count).toBe(1)
  expect(builder.apply({ ...trade, sequence: '2' })?.totals.count).toBe(2)
  expect(builder.release(MINUTE_NS - 1n)).toEqual([])
  expect(builder.release(MINUTE_NS)).toHaveLength(1)
  expect(builder.apply({ ...trade, sequence: '3' })).toBeUndefined()
})

test('volume bars contain every trade once, in order, and each reaches the threshold with its last trade', () => {
  fc.assert(
    fc.property(trades, decimal, (list, least) => {
      const builder = createCountBarBuilder({ by: 'volume', least: exactOf(least) })
      const ordered = inOrder(list)
      const complete = ordered.flatMap((trade) => builder.apply(trade) ?? [])
      const all = [...complete, ...[builder.open() ?? []].flat()]
      expect(all.reduce((count, bar) => count + bar.count, 0)).toBe(list.length)
      let at = 0
      for (const bar of complete) {
        const inside = ordered.slice(at, at + bar.count).map(totalsOf)
        at += bar.count
        expect(plain(inside.reduce(mergeTotals))).toEqual(plain(bar))
        expect(compareExact(bar.volume, exactOf(least))).toBeGreaterThanOrEqual(0)
        const before = inside.slice(0, -1).map(({ volume }) => volume)
        if (before.length > 0) expect(compareExact(before.reduce(sumOf), exactOf(least))).toBeLessThan(0)
      }
    }),
    RUNS,
  )
})

describe('bars of a time zone', () => {
  const HOUR_NS = 60n * MINUTE_NS
  const ns = (time: string) => BigInt(Date.parse(time)) * 1_000_000n
  const text = (time: bigint) => new Date(Number(time / 1_000_000n)).toISOString()

  test.each([
    ['America/New_York', '2024-03-10T12:00:00Z', '2024-03-10T05:00:00.000Z', '2024-03-11T04:00:00.000Z'],
    ['America/New_York', '2024-11-03T12:00:00Z', '2024-11-03T04:00:00.000Z', '2024-11-04T05:00:00.000Z'],
    ['Asia/Kolkata', '2024-08-08T18:29:59Z', '2024-08-07T18:30:00.000Z', '2024-08-08T18:30:00.000Z'],
    // A day without midnight: clocks went from 00:00 to 01:00.
    ['America/Sao_Paulo', '2018-11-04T12:00:00Z', '2018-11-04T03:00:00.000Z', '2018-11-05T02:00:00.000Z'],
    ['UTC', '2024-08-08T18:29:59Z', '2024-08-08T00:00:00.000Z', '2024-08-09T00:00:00.000Z'],
  ])('a day of %s around %s is from %s to %s', (zone, time, start, end) => {
    const clock = createBarClock(24n * HOUR_NS, zone)
    const first = clock.startOf(ns(time))
    expect([text(first), text(clock.endOf(first))]).toEqual([start, end])
  })

  test('every moment is in exactly one bar, and bars follow each other', () => {
    const zones = fc.constantFrom(
      'America/New_York',
      'America/St_Johns',
      'Australia/Lord_Howe',
      'Pacific/Apia',
      'Asia/Kathmandu',
    )
    const steps = fc.constantFrom(5n * MINUTE_NS, HOUR_NS, 4n * HOUR_NS, 24n * HOUR_NS)
    const times = fc.bigInt({ min: ns('1985-01-01T00:00:00Z'), max: ns('2030-01-01T00:00:00Z') })
    fc.assert(
      fc.property(zones, steps, times, (zone, step, time) => {
        const clock = createBarClock(step, zone)
        const start = clock.startOf(time)
        const end = clock.endOf(start)
        expect(start <= time && time < end).toBe(true)
        expect(clock.startOf(start)).toBe(start)
        expect(clock.startOf(end - 1n)).toBe(start)
        expect(clock.startOf(end)).toBe(end)
      }),
      RUNS,
    )
  })
})
