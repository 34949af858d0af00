import { expect, test } from 'vitest'
import { nextSpan, type ScrollView, type Span } from './near-rows.ts'

const GROUPS = 1_000
const HEIGHT = 170
const viewAt = (scrolledPx: number, more: Partial<ScrollView> = {}): ScrollView => ({
  groups: GROUPS,
  heightPx: () => HEIGHT,
  topPx: -scrolledPx,
  windowPx: 850,
  ...more,
})
const span = (from: number, to: number): Span => ({
  from,
  to,
  abovePx: from * HEIGHT,
  belowPx: (GROUPS - to) * HEIGHT,
})

/** The final rows, and the rows after each step. */
function steps(now: Span, what: ScrollView): Span[] {
  const all: Span[] = []
  for (let next = nextSpan(now, what); next !== now; next = nextSpan(now, what)) {
    all.push(next)
    now = next
  }
  return all
}

test('groups far below are rendered when they become visible, then the groups around them', () => {
  const drawn = steps(span(0, 4), viewAt(34_000)).map(({ from, to }) => [from, to])
  expect(drawn).toEqual([
    [200, 201],
    [199, 202],
    [198, 203],
    [197, 204],
    [197, 205],
    [197, 206],
    [197, 207],
    [197, 208],
  ])
})

test('while scrolling down, groups are added below and removed above', () => {
  expect(steps(span(0, 6), viewAt(0)).at(-1)).toEqual(span(0, 8))
  expect(steps(span(0, 8), viewAt(170))).toEqual([span(0, 9)])
  expect(steps(span(0, 9), viewAt(1_500)).at(-1)).toEqual(span(6, 17))
})

test('nothing is rendered beyond the end, and the last group may be smaller', () => {
  const heightPx = (group: number) => (group === GROUPS - 1 ? 34 : HEIGHT)
  const drawn = steps(span(0, 4), viewAt(GROUPS * HEIGHT - 1_000, { heightPx })).at(-1)
  expect(drawn).toEqual({ from: 991, to: 1_000, abovePx: 991 * HEIGHT, belowPx: 0 })
})

test('measured heights are used', () => {
  const heightPx = (group: number) => (group < 10 ? 2 * HEIGHT : HEIGHT)
  const drawn = steps(span(0, 4), viewAt(3_400, { heightPx })).at(-1)
  expect(drawn).toEqual({ from: 8, to: 18, abovePx: 16 * HEIGHT, belowPx: 982 * HEIGHT })
})

test('a table outside the viewport renders no rows and keeps its height', () => {
  expect(steps(span(0, 4), viewAt(-5_000))).toEqual([span(0, 0)])
  expect(steps(span(0, 0), viewAt(-5_000))).toEqual([])
  expect(steps(span(0, 0), viewAt(-500)).at(-1)).toEqual(span(0, 5))
})
