import { expect, test } from 'vitest'
import { findBrokenInvariants } from './find-broken-invariants.ts'
import { temporaryTree } from './temporary-tree.ts'

const unfinished = ['TO', 'DO: later'].join('')

test.each([
  ['251 lines', 'gateway/src/main.ts', 'let a\n'.repeat(251)],
  ['an index', 'gateway/src/index.ts', ''],
  ['a file called utils', 'libs/service/src/utils.ts', ''],
  ['a folder called helpers', 'libs/service/src/helpers/date.ts', ''],
  ['unfinished work in code', 'web/src/main.tsx', `// ${unfinished}\n`],
  ['a path beside the route table', 'gateway/src/http/serving.ts', "const path = '/api/v1/limits'\n"],
  ['nine dependencies', 'gateway/src/http/serving.ts', `export type ServingDeps = {\n${'  a: 1\n'.repeat(9)}}\n`],
  ['unfinished work in a document', 'docs/how.md', `${unfinished}\n`],
])('%s is found', (_what, file, text) => {
  expect(findBrokenInvariants(temporaryTree({ [file]: text })).map((broken) => broken.file)).toEqual([file])
})

test('ordinary files and installed packages are not reported', () => {
  const tree = {
    'gateway/src/main.ts': 'let a\n'.repeat(250),
    'gateway/src/routing/route-table.ts': "const path = '/api/v1/limits'\n",
    'gateway/src/http/limits.test.ts': "const path = '/api/v1/limits'\n",
    'gateway/src/http/serving.ts': `export type ServingDeps = {\n${'  a: 1\n'.repeat(8)}}\n`,
    'docs/long.md': 'line\n'.repeat(2_000),
    'k8s/base/gateway.yaml': 'kind: StatefulSet\n',
    'node_modules/x/utils.ts': `// ${unfinished}\n`,
  }
  expect(findBrokenInvariants(temporaryTree(tree))).toEqual([])
})
