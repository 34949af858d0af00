import { expect, test } from 'vitest'
import { checkFaultVisible, checkRadius, type Radius, recoveryMs } from './check-radius.ts'
import type { Area, Visit } from '../visits.ts'

const fault = { what: 'refuse', name: 'audit', startMs: 1_000, endMs: 3_000 }
const radius: Radius = { fault, areas: ['usage'], recoverWithinMs: 500 }
const at = (startMs: number, area: Area, more: Partial<Visit> = { status: 200 }): Visit => ({
  area,
  startMs,
  endMs: startMs + 10,
  ...more,
})
const closed = { status: 503, retryAfter: '1' }
const fine = [at(1_500, 'data'), at(1_500, 'usage', closed), at(3_200, 'usage', closed), at(4_000, 'usage')]
const brokenOf = (visits: readonly Visit[], isTimed = true) =>
  [...checkRadius(visits, [radius], isTimed), ...checkFaultVisible(visits, [radius])].filter(
    ({ broken }) => broken.length > 0,
  )

test('failures inside the declared radius, during the fault and shortly after it, are accepted', () => {
  expect(brokenOf(fine)).toEqual([])
  expect(recoveryMs(fine, radius, [radius])).toBe(210)
})

test('a fault is not blamed for an area that a later fault closed', () => {
  const again: Radius = { ...radius, fault: { ...fault, startMs: 9_000, endMs: 11_000 } }
  const elsewhere: Radius = {
    fault: { ...fault, name: 'identity', startMs: 3_100, endMs: 3_150 },
    areas: ['sign-in'],
    recoverWithinMs: 500,
  }
  const radii = [radius, elsewhere, again]
  const visits = [...fine, at(9_500, 'usage', closed), at(11_100, 'usage', closed)]
  expect(radii.map((one) => recoveryMs(visits, one, radii))).toEqual([210, 0, 110])
  const cutShort = { ...at(8_990, 'usage', closed), endMs: 9_020 }
  expect(recoveryMs([...fine, cutShort], radius, radii)).toBe(210)
})

test.each<[string, Visit, string]>([
  ['at another area', at(1_500, 'data', closed), 'outside of the declared radius'],
  ['before it', at(500, 'usage', closed), 'outside of the declared radius'],
  ['long after it', at(3_600, 'usage', closed), 'outside of the declared radius'],
  ['without an answer', at(1_600, 'usage', {}), 'every visitor gets an answer'],
  ['with a 500', at(1_600, 'usage', { status: 500 }), 'inside of the radius'],
  ['without Retry-After', at(1_600, 'usage', { status: 503 }), 'inside of the radius'],
])('a failure %s is found', (_where, visit, guarantee) => {
  const broken = brokenOf([...fine, visit])
  expect(broken.map((one) => one.guarantee).join()).toContain(guarantee)
})

test('a fault without effect, or without requests outside its radius, proves nothing', () => {
  expect(brokenOf([at(1_500, 'data'), at(1_500, 'usage')])).toHaveLength(1)
  expect(brokenOf([at(1_500, 'usage', closed)])).toHaveLength(1)
})

test('a missed deadline counts only where times are guaranteed', () => {
  const late = [...fine, at(1_500, 'data', { status: 504 })]
  expect(brokenOf(late)).toHaveLength(1)
  expect(brokenOf(late, false)).toEqual([])
})
