import { expect, test } from 'vitest'
import { findCrowding } from './find-crowding.ts'
import { temporaryTree } from './temporary-tree.ts'

const found = (files: Record<string, string>) =>
  findCrowding(temporaryTree(files)).map(({ file, message }) => `${file} ${message}`)
const many = (count: number, name: (n: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [name(n), '']))

test('a folder of more than 25 source files is reported; tests, fixtures and migrations are not counted', () => {
  expect(found(many(26, (n) => `services/audit/src/file-${n}.ts`))).toEqual([
    'services/audit/src has 26 source files; a folder may have at most 25',
  ])
  expect(found(many(25, (n) => `services/audit/src/file-${n}.ts`))).toEqual([])
  expect(found(many(30, (n) => `services/audit/src/file-${n}.test.ts`))).toEqual([])
  expect(found(many(30, (n) => `services/audit/src/migrations/000${n}-x.ts`))).toEqual([])
})

test('a style sheet of more than 400 lines is reported', () => {
  expect(found({ 'web/src/styles/base.css': 'a {}\n'.repeat(401) })).toEqual([
    'web/src/styles/base.css has 401 lines; a style sheet may have at most 400',
  ])
})

test('more than 20,000 lines of golden files are reported', () => {
  const golden = { 'gateway/golden/a.txt': 'x\n'.repeat(15_000), 'libs/contracts/golden/b.txt': 'x\n'.repeat(5_001) }
  expect(found(golden)).toEqual(['**/golden have 20001 lines; at most 20000 can be reviewed'])
})

test('a .dockerignore that lets fixtures into an image is reported', () => {
  const all = ['**/test', '**/bench', '**/golden', '**/*.fixture.ts', '**/*.test.ts', 'tests', 'load-tests']
  expect(found({ '.dockerignore': all.join('\n') })).toEqual([])
  expect(found({ '.dockerignore': all.filter((line) => line !== '**/*.fixture.ts').join('\n') })).toEqual([
    '.dockerignore does not exclude **/*.fixture.ts: images must not contain test code',
  ])
})
