import { expect, test } from 'vitest'
import { findDeadPaths } from './find-dead-paths.ts'
import { temporaryTree } from './temporary-tree.ts'

const tree = {
  'README.md':
    '[how](docs/how.md) `services/a/src/main.ts` `npm test` [out](https://example.org/x) `GET user/details`\n',
  'docs/how.md': '[back](../README.md#top)\n',
  'services/a/src/main.ts': '',
  'services/a/README.md':
    'Start at `src/main.ts`, needs `services/<name>/src/*.ts`.\n```\nsrc/not-checked-in-code.ts\n```\n',
}

test('documents that name existing files have no dead paths', () => {
  expect(findDeadPaths(temporaryTree(tree))).toEqual([])
})

test.each([
  ['a link', 'docs/how.md', 'See [this](gone.md).\n', 'gone.md'],
  ['a path from the root in backticks', 'docs/how.md', 'See `services/a/src/gone.ts`.\n', 'services/a/src/gone.ts'],
  ['a path from a package in backticks', 'services/a/README.md', 'Start at `src/gone.ts`.\n', 'src/gone.ts'],
  ['a file that is nowhere', 'README.md', 'See `tsconfig.json`.\n', 'tsconfig.json'],
])('%s without a target is found', (_what, document, text, path) => {
  expect(findDeadPaths(temporaryTree({ ...tree, [document]: `\n${text}` }))).toEqual([{ document, line: 2, path }])
})
