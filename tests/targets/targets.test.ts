import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DRILLS } from '../chaos/drills.ts'
import { assessTarget } from './targets-table.ts'
import { TARGETS } from './targets.ts'
import { readResult, type Result } from './read-result.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
const barOf = (target: number) => TARGETS.find(({ number }) => number === target) ?? { number: 0, title: '' }
const verdictOf = (target: number, result: object | undefined) =>
  assessTarget(barOf(target), () => result as Result | undefined).verdict

test('there are thirty-two targets, each listed once', () => {
  expect(TARGETS.map(({ number }) => number)).toEqual(Array.from({ length: 32 }, (_, n) => n + 1))
})

test.each(TARGETS)('target $number: its command and its tests exist', ({ command, testedIn = [] }) => {
  for (const file of testedIn) expect(existsSync(join(ROOT, file)), file).toBe(true)
  if (command === undefined) return
  if (command[0] !== 'run') expect(existsSync(join(ROOT, command[0] ?? '')), command[0]).toBe(true)
  else {
    expect(Object.keys(scripts)).toContain(command[1])
    if (command[1] === 'chaos') expect(DRILLS.map(({ name }) => name)).toContain(command[3])
  }
})

test('a result that misses the target is reported as missed, and so is one without the required fields', () => {
  const drill = { at: '2026-11-22T00:00:00Z', held: true, figures: { kills: 20, answered: 5, rows: 5 } }
  expect(verdictOf(8, drill)).toBe('**met**')
  expect(verdictOf(8, { ...drill, held: false })).toBe('**missed**')
  expect(verdictOf(8, { ...drill, figures: { ...drill.figures, kills: 19 } })).toBe('**missed**')
  const flood = { at: '2026-11-22T00:00:00Z', p99Ratio: 1.1, knownDeviceMaxMs: 900 }
  expect(verdictOf(21, flood)).toMatch(/^\*\*met/)
  expect(verdictOf(21, { ...flood, knownDeviceMaxMs: 1_100 })).toMatch(/^\*\*missed/)
  const log = { at: flood.at, runs: 500, decisions: 200_000, denials: 9, deniedEarly: 1 }
  expect(verdictOf(1, log)).toMatch(/^\*\*met/)
  expect(verdictOf(1, { ...log, runs: 20 })).toMatch(/^\*\*missed/)
  expect(verdictOf(1, { ...log, denials: 0 })).toMatch(/^\*\*missed/)
  expect(verdictOf(7, { at: flood.at, runs: 200 })).toMatch(/^\*\*missed/)
  const outage = { awayMs: 120_000, answered: 9, countedAfterMs: 9, p99BeforeMs: 50, p99AwayMs: 55 }
  expect(verdictOf(9, { ...drill, figures: outage })).toBe('**met**')
  expect(verdictOf(9, { ...drill, figures: { ...outage, p99AwayMs: 56 } })).toBe('**missed**')
  const roundTrip = { at: flood.at, decisions: 120_000, perSecond: 2_000, roundTripMs: { p50: 0.2, p99: 2 } }
  expect(verdictOf(4, roundTrip)).toBe('**met**')
  expect(verdictOf(4, { ...roundTrip, roundTripMs: { p50: 0.2, p99: 2.1 } })).toBe('**missed**')
  expect(verdictOf(4, { ...roundTrip, perSecond: 1_900 })).toBe('**missed**')
  const fault = { unexpected: [], missing: [] }
  const alerts = {
    at: flood.at,
    held: true,
    faults: [fault],
    rareErrors: { oneIn: 2_000, failed: 6 },
    faultsNotRun: [],
  }
  expect(verdictOf(28, { ...alerts, page: { afterSeconds: 120 } })).toBe('**met**')
  expect(verdictOf(28, { ...alerts, page: { afterSeconds: 121 } })).toBe('**missed**')
  expect(verdictOf(28, { ...alerts, page: { afterSeconds: 90 }, faultsNotRun: ['Redis is killed'] })).toBe('**missed**')
  expect(verdictOf(24, { at: flood.at, cases: 20_000, isClean: true })).toBe('**met**')
  expect(verdictOf(24, { at: flood.at, cases: 20_000, isClean: false })).toBe('**missed**')
})

test('without a result a target is asserted in tests or not measured', () => {
  expect(verdictOf(8, undefined)).toBe('*asserted in tests*')
  expect(verdictOf(20, undefined)).toBe('not measured')
  expect(() => verdictOf(21, { at: '2026-11-22T00:00:00Z' })).toThrow('no number')
})

test('every committed result of a target can be read', () => {
  for (const target of TARGETS) expect(assessTarget(target, readResult).verdict, `${target.number}`).not.toBe('')
})
