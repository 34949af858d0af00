import { expect, test } from 'vitest'
import { applyEdit, FAULT_KINDS, type Fault, findFaults, pickFaults } from './find-faults.ts'
import { findTestsOf } from './find-tests-of.ts'

const SOURCE = `
export async function read(limit: number, rows: string[]) {
  if (limit > 3) return undefined
  if (rows.length === 0) {
    limit = rows.length - 1
  }
  await save(limit, rows)
  const known = rows.includes('a') && limit !== 2
  return await load(known)
}
`

const lines = (faults: readonly Fault[]) => faults.map(({ kind, line, after }) => `${kind} ${line}: ${after}`)

test('faults are found on the syntax tree, each within one line', () => {
  expect(lines(findFaults('read.ts', SOURCE)).toSorted()).toEqual([
    'dropped await 7: save(limit, rows)',
    'inverted comparison 3: if (limit <= 3) return undefined',
    'inverted comparison 4: if (rows.length !== 0) {',
    "inverted comparison 8: const known = rows.includes('a') && limit === 2",
    'lost condition 3: if (false) return undefined',
    'lost condition 4: if (true) {',
    "lost condition 8: const known = rows.includes('a')",
    'off by one 3: if (limit >= 3) return undefined',
    'off by one 5: limit = rows.length',
    'swapped arguments 7: await save(rows, limit)',
  ])
})

test('a fault changes its line and nothing else', () => {
  for (const fault of findFaults('read.ts', SOURCE)) {
    const changed = applyEdit(SOURCE, fault).split('\n')
    const expected = SOURCE.split('\n').map((text, n) => (n + 1 === fault.line ? fault.after : text.trim()))
    expect(changed.map((text) => text.trim())).toEqual(expected)
  }
})

test('the same seed selects the same faults, regardless of other changes in the sources', () => {
  const files = ['gateway/src/a.ts', 'libs/events/src/b.ts', 'services/audit/src/c.ts', 'services/audit/src/d.ts']
  const faults = files.flatMap((file) => findFaults(file, SOURCE))
  const options = { seed: 7, perKind: 2 }
  const picked = pickFaults(faults, options)
  expect(picked).toHaveLength(FAULT_KINDS.length * options.perKind)
  expect(new Set(picked.map(({ kind, file }) => `${kind} ${file}`)).size).toBe(picked.length)
  expect(pickFaults([...faults].reverse(), options)).toEqual(picked)
  expect(pickFaults(faults, { ...options, seed: 8 })).not.toEqual(picked)
})

test('the tests of a file are those of its folder and all that import it, nearest first', () => {
  const sources = new Map([
    ['gateway/src/usage/far.test.ts', "import { app } from '../http/app.ts'"],
    ['gateway/src/http/app.ts', "import { write } from './write.ts'"],
    ['gateway/src/http/write.ts', ''],
    ['gateway/src/http/app.test.ts', "import { app } from './app.ts'"],
    ['gateway/src/limiter/other.test.ts', "import { limit } from './limit.ts'"],
  ])
  expect(findTestsOf('gateway/src/http/write.ts', sources)).toEqual([
    'gateway/src/http/app.test.ts',
    'gateway/src/usage/far.test.ts',
  ])
})
