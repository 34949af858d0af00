import { expect, test } from 'vitest'
import { checkAsPlanned, checkDay, type DayEvidence } from './check-day.ts'
import type { Radius } from './check-radius.ts'
import { planDay } from '../drills/day-plan.ts'
import type { ClientRequest, Fault } from '../history.ts'
import { createRandom } from '../random.ts'
import type { Area, Visit } from '../visits.ts'

const fault = { what: 'kill', name: 'audit', startMs: 10_000, endMs: 12_000 }
const radii: Radius[] = [{ fault, areas: ['usage'], recoverWithinMs: 5_000 }]
const at = (startMs: number, area: Area, status = 200): Visit => ({ area, startMs, endMs: startMs + 10, status })
const visits = [
  ...Array.from({ length: 1_000 }, (_, n) => at(n * 20, 'keys')),
  at(11_000, 'usage', 503),
  at(16_000, 'usage', 502),
]
const requests: ClientRequest[] = Array.from({ length: 1_000 }, (_, n) => ({
  account: 'a',
  startMs: n * 20,
  endMs: n * 20 + 5,
  status: 200,
}))
const right: DayEvidence = { visits, requests, radii }
const brokenIn = (wrong: Partial<DayEvidence>) =>
  checkDay({ ...right, ...wrong })
    .checks.filter(({ broken }) => broken.length > 0)
    .map(({ guarantee }) => guarantee)

test('callers outside every radius have a separate success rate', () => {
  expect(brokenIn({})).toEqual([])
  expect(checkDay(right).figures).toEqual({ unaffected: 2_000, unaffectedServed: 2_000, effective: 1 })
  expect(brokenIn({ visits: [...visits, at(9_000, 'usage', 503), at(17_500, 'usage', 503)] })).toEqual([])
})

test.each<[string, Partial<DayEvidence>]>([
  ['unaffected callers', { visits: [...visits, ...[0, 1, 2].map((n) => at(11_000 + n, 'keys', 503))] }],
  ['unaffected callers', { visits: [...visits, ...[0, 1, 2].map((n) => at(17_100 + n, 'usage', 503))] }],
  ['unaffected callers', { requests: requests.map((one, n) => (n < 3 ? { ...one, status: 504 } : one)) }],
  [
    'unaffected callers',
    {
      requests: [
        ...requests,
        ...requests.slice(0, 3).map(({ account, startMs, endMs }) => ({ account, startMs, endMs })),
      ],
    },
  ],
  ['most faults that close an area of the API', { visits: visits.filter(({ status }) => status === 200) }],
])('%s: reported when it is violated', (guarantee, wrong) => {
  expect(brokenIn(wrong).join()).toContain(guarantee)
})

test('the same seed gives the same day, regardless of the recovery times of its faults', () => {
  const plan = planDay(createRandom(7), 600_000)
  const names = (seed: number) => planDay(createRandom(seed), 600_000).map(({ injection }) => injection.name)
  expect(plan).toHaveLength(30)
  expect(new Set(plan.slice(0, 19).map(({ injection }) => `${injection.what} ${injection.name}`)).size).toBe(19)
  expect(names(7)).toEqual(plan.map(({ injection }) => injection.name))
  expect(names(8)).not.toEqual(names(7))
  const occurred = plan.map(({ injection: { what, name }, atMs, lastsMs }, n): Fault => ({
    what,
    name,
    startMs: 1_000 + atMs + n,
    endMs: 1_000 + atMs + n + lastsMs,
  }))
  const brokenBy = (faults: readonly Fault[]) => checkAsPlanned(faults, plan, 1_000).broken
  expect(brokenBy(occurred)).toEqual([])
  expect(brokenBy(occurred.slice(1))).toHaveLength(30)
  expect(brokenBy(occurred.slice(0, 29))).toHaveLength(1)
  expect(brokenBy([...occurred, fault])).toHaveLength(1)
  expect(brokenBy(occurred.map((one, n) => (n === 4 ? { ...one, startMs: one.startMs - 500 } : one)))).toHaveLength(1)
  expect(brokenBy(occurred.map((one, n) => (n === 4 ? { ...one, endMs: one.startMs + 10 } : one)))).toHaveLength(1)
})
