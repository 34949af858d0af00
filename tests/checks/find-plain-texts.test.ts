import { expect, test } from 'vitest'
import { findPlainTexts } from './find-plain-texts.ts'
import { temporaryTree } from './temporary-tree.ts'

const page = (jsx: string): Record<string, string> => ({
  'web/src/pages/Page.tsx': `export const Page = ({ count, isBusy }) => ${jsx}\n`,
})

test.each([
  ['a message', '<p title={t`Copy`}>{t`Hello`} <Trans>Dear <b>reader</b></Trans></p>'],
  ['a plural', '<Plural value={count} one="# key" other="# keys" />'],
  ['a name, a unit and a number', '<p className="wide">Tapeline {count} ms · UTC</p>'],
  ['code', '<pre>npm start</pre>'],
  ['what is the same in every language', '<span translate="no">price string</span>'],
])('%s is not plain text', (_what, jsx) => {
  expect(findPlainTexts(temporaryTree(page(jsx)))).toEqual([])
})

test.each([
  ['between tags', '<p>Hello</p>', 'Hello'],
  ['in an attribute that is read aloud', '<button aria-label="Close" />', 'Close'],
  ['in a template', '<p title={`Page ${count}`} />', 'Page'],
  ['as one of two', "<b>{isBusy ? t`Saving` : 'Save'}</b>", 'Save'],
  ['behind a condition', "<b>{isBusy && 'Saving'}</b>", 'Saving'],
])('words %s are found', (_where, jsx, words) => {
  expect(findPlainTexts(temporaryTree(page(jsx)))).toEqual([
    { file: 'web/src/pages/Page.tsx', message: `shows “${words}”, which is not a message: use t or <Trans>` },
  ])
})
