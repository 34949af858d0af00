import { expect, test } from 'vitest'
import { Breaker } from './breaker.ts'

/** Records outcomes at one time: `f` failed, `s` succeeded. */
function record(breaker: Breaker, outcomes: string, nowMs: number): void {
  for (const outcome of outcomes) {
    if (outcome === 'f') breaker.failed(nowMs)
    else breaker.succeeded(nowMs, nowMs)
  }
}

test.each([
  ['few failures say nothing', 'ffff', false],
  ['five in a row', 'fffff', true],
  ['less than half', 'sssssffff', false],
  ['half', 'sssssfffff', true],
])('%s', (_what, outcomes, isOpen) => {
  const breaker = new Breaker()
  record(breaker, outcomes, 1_000)
  expect(breaker.allows(1_000)).toBe(!isOpen)
})

test('outcomes older than the window are ignored', () => {
  const breaker = new Breaker()
  record(breaker, 'ffff', 1_000)
  record(breaker, 'f', 10_999)
  expect(breaker.isOpen).toBe(true)
  const late = new Breaker()
  record(late, 'ffff', 1_000)
  record(late, 'f', 11_000)
  expect(late.isOpen).toBe(false)
  record(late, 'ffff', 1_000_000)
  expect(late.isOpen).toBe(false)
})

test('an open breaker allows one probe per second and closes when one succeeds', () => {
  const breaker = new Breaker()
  record(breaker, 'fffff', 5_000)
  const allowed = Array.from({ length: 40 }, (_value, n) => 5_000 + n * 100).filter((nowMs) => breaker.allows(nowMs))
  expect(allowed).toEqual([6_000, 7_000, 8_000])
  breaker.failed(8_050)
  expect(breaker.isOpen).toBe(true)
  breaker.succeeded(9_000, 4_900)
  expect(breaker.isOpen, 'a call from before it opened').toBe(true)
  breaker.succeeded(9_100, 9_050)
  expect([breaker.isOpen, breaker.allows(9_100)]).toEqual([false, true])
  record(breaker, 'ffff', 9_200)
  expect(breaker.isOpen, 'the count restarts').toBe(false)
})
