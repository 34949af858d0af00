import { expect, test } from 'vitest'
import { findFragments } from './find-fragments.ts'
import { temporaryTree } from './temporary-tree.ts'

const SHORT = 'export const short = 1\n'
const found = (files: Record<string, string>) =>
  findFragments(temporaryTree(files)).map(({ file, message }) => `${file} ${message}`)

test('a short file with one importer in its folder is reported', () => {
  const files = { 'web/src/a/long.ts': "import { short } from './short.ts'\n", 'web/src/a/short.ts': SHORT }
  expect(found(files)).toEqual(['web/src/a/short.ts has 1 lines and only long.ts imports it: move its code there'])
})

test.each<[string, Record<string, string>]>([
  ['a long file', { 'web/src/a/short.ts': SHORT.repeat(40) }],
  ['a second importer', { 'web/src/b/other.ts': "import { short } from '../a/short.ts'\n" }],
  ['a test of its own', { 'web/src/a/short.test.ts': "import { short } from './short.ts'\n" }],
])('%s is a reason for a file', (_what, more) => {
  const files = { 'web/src/a/long.ts': "import { short } from './short.ts'\n", 'web/src/a/short.ts': SHORT, ...more }
  expect(found(files)).toEqual([])
})

test.each([
  ['a verb that a list of the service imports', 'services/a/src/routes.ts', 'services/a/src/revoke-key.ts'],
  ['a query file', 'services/a/src/revoke-key.ts', 'services/a/src/key-queries.ts'],
  ['a component', 'web/src/a/Page.tsx', 'web/src/a/Panel.tsx'],
  ['a hook', 'web/src/a/Page.tsx', 'web/src/a/use-panel.ts'],
  ['a file that another folder imports', 'services/a/src/b/one.ts', 'services/a/src/c/two.ts'],
])('%s is not a fragment', (_what, importer, file) => {
  const path = file.startsWith('services/a/src/c') ? '../c/two.ts' : `./${file.split('/').at(-1)}`
  expect(found({ [importer]: `import { short } from '${path}'\n`, [file]: SHORT })).toEqual([])
})
