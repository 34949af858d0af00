import { expect, test } from 'vitest'
import { checkPostgresSplit, type PostgresSplit, postgresTimes } from './check-postgres.ts'

const OLD = '10.231.0.11:5432'
const NEW = '10.231.0.12:5432'
const CUT_MS = 10_000
const rowsOf = (side: string, server: string, fromMs: number, toMs: number) =>
  Array.from({ length: (toMs - fromMs) / 100 }, (_none, n) => ({
    id: `${side}-${fromMs + n * 100}`,
    server,
    atMs: fromMs + n * 100,
  }))

function splitOf(changes: Partial<PostgresSplit> = {}): PostgresSplit {
  const cutSide = rowsOf('cut', OLD, 5_000, 10_000)
  const keptSide = [...rowsOf('kept', OLD, 5_000, 10_000), ...rowsOf('kept', NEW, 33_000, 50_000)]
  const split = {
    cutServer: OLD,
    cutMs: CUT_MS,
    healedMs: 45_000,
    cutSide,
    keptSide,
    refused: 12,
    demotedAtMs: 14_000,
    ...changes,
  }
  const stored = [...split.cutSide, ...split.keptSide].map(({ id }) => id)
  return { stored, roles: ['replica', 'primary'], ...split }
}
const brokenIn = (split: PostgresSplit) =>
  checkPostgresSplit(split).flatMap(({ guarantee, broken }) => (broken.length === 0 ? [] : [guarantee]))

test('a cut that loses nothing is accepted, with its times', () => {
  expect(brokenIn(splitOf())).toEqual([])
  expect(postgresTimes(splitOf())).toEqual({ acknowledgedForMs: 0, writesBackMs: 23_000, bothMs: 0 })
})

test('a row that was acknowledged on the cut side and is missing afterwards is found', () => {
  const cutSide = rowsOf('cut', OLD, 5_000, 12_000)
  const stored = splitOf().stored
  expect(brokenIn(splitOf({ cutSide, stored }))).toEqual([
    'every commit that was acknowledged on either side is stored after healing',
  ])
})

test('a cut primary that acknowledges commits after its successor is found', () => {
  const cutSide = rowsOf('cut', OLD, 5_000, 35_100)
  expect(postgresTimes(splitOf({ cutSide })).bothMs).toBe(2_000)
  expect(brokenIn(splitOf({ cutSide }))).toEqual(['two servers never accept writes at the same time'])
})

test('a run without evidence, demotion or successor, or with two primaries, is rejected', () => {
  const nothing = 'clients on both sides commit before the cut, and the side that is cut off keeps trying'
  expect(brokenIn(splitOf({ refused: 0 }))).toEqual([nothing])
  expect(brokenIn(splitOf({ cutSide: [] }))).toEqual([nothing])
  expect(brokenIn(splitOf({ keptSide: rowsOf('kept', OLD, 5_000, 10_000) }))).toEqual([
    'writes are accepted during the cut',
  ])
  expect(brokenIn(splitOf({ demotedAtMs: undefined }))).toEqual(['the cut primary is demoted during the cut'])
  expect(brokenIn(splitOf({ roles: ['primary', 'primary'] }))).toEqual([
    'after healing one server is the primary and the other its standby',
  ])
})
