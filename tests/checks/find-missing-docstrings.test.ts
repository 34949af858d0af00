import { expect, test } from 'vitest'
import { findMissingDocstrings } from './find-missing-docstrings.ts'
import { temporaryTree } from './temporary-tree.ts'

const found = (text: string, file = 'libs/a/src/b.ts') => findMissingDocstrings(temporaryTree({ [file]: text }))

test.each(['export function open() {}', 'export async function open() {}', 'export class Box {}'])(
  '%s without a docstring is reported with its line',
  (line) => {
    expect(found(`const a = 1\n\n${line}\n`).map(({ file }) => file)).toEqual(['libs/a/src/b.ts:3'])
    expect(found(`/** Why. */\n${line}\n`)).toEqual([])
    expect(found(`/**\n * Why.\n */\n${line}\n`)).toEqual([])
  },
)

test('overloads share the docstring of the first; tests and services need none', () => {
  const overloads = 'export function f(a: 1): 1\nexport function f(a: 2): 2\n'
  expect(found(`/** Why. */\n${overloads}`)).toEqual([])
  expect(found(overloads)).toHaveLength(1)
  expect(found(overloads, 'libs/a/src/b.test.ts')).toEqual([])
  expect(found(overloads, 'services/a/src/b.ts')).toEqual([])
})

test('a function that throws names the error in its docstring', () => {
  const body = "export function f() {\n  throw new Error('no')\n}\n"
  expect(found(`/** Why. */\n${body}`).map(({ message }) => message)).toEqual([
    'exports f, whose docstring has no @throws',
  ])
  expect(found(`/** Why. @throws Error */\n${body}`)).toEqual([])
  expect(found(`/** Why. */\n${body}`, 'libs/testing/src/b.ts')).toEqual([])
})
