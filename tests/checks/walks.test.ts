import { expect, test } from 'vitest'
import { findBrokenWalks } from './find-broken-walks.ts'
import { temporaryTree } from './temporary-tree.ts'

const WALKS = [
  { heading: 'Follow a request: "revoke this key"', filesMax: 45, ownMax: 10 },
  { heading: 'Follow an event: a counted request', filesMax: 50, ownMax: 50 },
]

test('the walks in ARCHITECTURE.md match the code, file by file', () => {
  expect(findBrokenWalks(process.cwd(), WALKS)).toEqual([])
})

const tree = (steps: string[]) =>
  temporaryTree({
    'ARCHITECTURE.md': ['# A', '', '## Walk', '', ...steps, '', '## Else', ''].join('\n'),
    'a.ts': "import { b } from './b.ts'\nexport const a = b\nconst topic = 'key.revoked'\n",
    'b.ts': 'export const b = 1\n',
    'c.ts': "const topic = 'key.revoked'\n",
  })
const walk = [{ heading: 'Walk', filesMax: 3, ownMax: 1 }]

test('a hop is an import in either direction or a word that both files contain', () => {
  expect(findBrokenWalks(tree(['1. `a.ts` x', '2. `b.ts` x', '3. `c.ts` (by `key.revoked`) x']), walk)).toEqual([])
  expect(findBrokenWalks(tree(['1. `b.ts` x', '2. `a.ts` x']), walk)).toEqual([])
})

test.each([
  ['a file that is gone', ['1. `gone.ts` x'], 'gone.ts does not exist'],
  ['a file without a link', ['1. `a.ts` x', '2. `c.ts` x'], 'c.ts neither imports'],
  ['a word that is not shared', ['1. `b.ts` x', '2. `c.ts` (by `key.revoked`) x'], 'do not share key.revoked'],
  ['too many files', ['1. `a.ts` x', '2. `b.ts` x', '3. `a.ts` x', '4. `b.ts` x'], 'takes 4 files'],
  ['too many files of its own', ['1. **`a.ts`** x', '2. **`b.ts`** x'], 'has 2 files of its own'],
  ['a walk without steps', [], 'is not described'],
])('%s is found', (_what, steps, fault) => {
  expect(findBrokenWalks(tree(steps), walk).join()).toContain(fault)
})
