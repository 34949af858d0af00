import { expect, test } from 'vitest'
import { findWording } from './find-wording.ts'
import { temporaryTree } from './temporary-tree.ts'

test.each([
  ['libs/a.ts', '/** Whoever asks is answered. */'],
  ['libs/a.ts', 'const isToldOf = 1'],
  ['libs/a.ts', 'const SOMEBODY_ELSE = 1'],
  ['docs/a.md', 'Nobody reads it.'],
  ['k8s/base/a.env', '# The network that the gateway believes.'],
  ['tests/a.ts', 'const FELT_MS = 1'],
  ['web/docs/text/a.en.md', 'Tell the operator.'],
  ['docs/a.md', 'The headers of an answer.'],
  ['gateway/src/a.ts', '/** While it is full, requests are answered 503. */'],
])('%s with %j is reported with its line', (file, line) => {
  const found = findWording(temporaryTree({ [file]: `\n${line}\n` }))
  expect(found.map((one) => one.file)).toEqual([`${file}:2`])
})

test.each([
  ['libs/a.ts', 'const threshold = intelligence + nobodies'],
  ['deploy/local/unprivileged.ts', 'const NOBODY = 65534'],
  ['web/docs/text/a.fr.md', 'Tell'],
  ['docs/a.md', 'The service answers 503.'],
  ['libs/a.ts', '/** Sends the answer. */'],
  ['services/a/src/migrations/0001.ts', "check (outcome in ('told'))"],
])('%s with %j is not reported', (file, line) => {
  expect(findWording(temporaryTree({ [file]: line }))).toEqual([])
})
