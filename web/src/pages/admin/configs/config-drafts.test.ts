import { expect, test } from 'vitest'
import {
  applyAnswer,
  type Drafts,
  differencesTo,
  newDraft,
  outdatedKeys,
  sentOf,
  shownOf,
  withoutDrafts,
} from './config-drafts.ts'

const base = { id: 'a-1', version: 3, value: { open: true } }
const typed = (text: string) => ({ ...newDraft(base), text })
const stored = {
  key: 'a',
  id: 'a-1',
  version: 4,
  value: { open: false },
  category: 'system_config' as const,
  is_public: true,
  description: null,
  is_known: true,
  updated_at: null,
  updated_by: null,
}

test('only valid JSON is sent, with the version that was edited or shown since', () => {
  const drafts: Drafts = { a: typed('{"open":false}'), b: typed('{') }
  expect(sentOf(drafts, ['a', 'b'])).toEqual([
    { update: { key: 'a', id: 'a-1', version: 3, value: { open: false } }, text: '{"open":false}' },
  ])
  expect(sentOf(drafts, ['a'], { a: { ...base, version: 7 } })).toMatchObject([{ update: { key: 'a', version: 7 } }])
})

test('input typed during a save is kept as an edit of the stored version', () => {
  const drafts: Drafts = { a: typed('{"open":false}') }
  const sent = sentOf(drafts, ['a'])
  const answer = { updated: [stored], failed: [] }
  expect(applyAnswer(drafts, sent, answer)).toEqual({})
  expect(applyAnswer({ a: typed('{"open":false, ') }, sent, answer)).toEqual({
    a: { text: '{"open":false, ', base: { id: 'a-1', version: 4, value: { open: false } } },
  })
})

test('of several drafts, rejected ones are kept with the reason', () => {
  const drafts: Drafts = { a: typed('1'), b: typed('2'), c: typed('{') }
  const failed = [{ key: 'b', error: '/open: must be boolean', code: 'global_config.invalid', errors: [] }]
  expect(applyAnswer(drafts, sentOf(drafts, ['a', 'b', 'c']), { updated: [stored], failed })).toEqual({
    b: { ...typed('2'), failure: 'Update failed: /open: must be boolean' },
    c: typed('{'),
  })
})

test('a conflict affects the configurations named by its pointers; other drafts are kept', () => {
  const drafts: Drafts = { a: typed('1'), b: typed('2'), c: typed('{') }
  const sent = sentOf(drafts, ['a', 'b', 'c'])
  const errors = [
    { field: '/updates/1/version', message: 'b was changed in the meantime' },
    { field: '/updates/1/value/open', message: 'open is now false' },
  ]
  expect(outdatedKeys(errors, sent)).toEqual(['b'])
  expect(Object.keys(withoutDrafts(drafts, outdatedKeys(errors, sent)))).toEqual(['a', 'c'])
})

test('a conflict shows the difference between the edited version and the current one', () => {
  const drafts: Drafts = { a: typed('1'), b: typed('2') }
  const shown = shownOf(['a'], { a: { id: 'a-1', version: 5, value: { open: false } } })
  expect(differencesTo(drafts, shown)).toEqual([{ path: '/open', before: true, after: false }])
  expect(sentOf(drafts, ['a'], shown)).toMatchObject([{ update: { version: 5 } }])
  const both = shownOf(['a', 'b'], { a: { id: 'a-1', version: 5, value: { open: false } } })
  expect(differencesTo(drafts, both).map(({ path }) => path)).toEqual(['a /open', 'b /'])
  expect(both['b']).toMatchObject({ id: null, version: 0 })
})
