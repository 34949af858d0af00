import { expect, test } from 'vitest'
import { queryOfTrail, readTrailFilter, writeTrailFilter } from './trail-filter.ts'
import { changesOf, wordsOf } from './trail-words.ts'

test('an event is told in words, also one that has none yet', () => {
  expect(wordsOf('api-key.revoked.v1')).toBe('API key revoked')
  expect(wordsOf('config.webhook-added.v2')).toBe('Webhook added')
})

test('only what differs is a change', () => {
  expect(changesOf({ tier: 'free', limits: null, tz: 'UTC' }, { tier: 'pro', limits: { a: 1 }, tz: 'UTC' })).toEqual([
    { field: 'tier', before: 'free', after: 'pro' },
    { field: 'limits', before: 'none', after: '{"a":1}' },
  ])
  expect(changesOf(null, { name: 'ci' })).toEqual([{ field: 'name', before: 'none', after: 'ci' }])
  expect(changesOf('user', 'admin')).toEqual([{ field: '', before: 'user', after: 'admin' }])
  expect(changesOf(null, null)).toEqual([])
})

test('the last day of the filter is part of it', () => {
  const filter = readTrailFilter(new URLSearchParams('about=api-key&from=2026-11-01&to=2026-11-30'))
  expect(queryOfTrail(filter)).toEqual({
    type: 'api-key',
    from: '2026-11-01T00:00:00.000Z',
    to: '2026-12-01T00:00:00.000Z',
  })
})

test('what the page writes it reads again, and what is not right is left out', () => {
  const text = 'about=identity&from=2026-11-01&of=platform'
  expect(writeTrailFilter(readTrailFilter(new URLSearchParams(text))).toString()).toBe(text)
  const wrong = readTrailFilter(new URLSearchParams('about=cats&from=2026-13-45&to=x&of=me'))
  expect(writeTrailFilter(wrong).toString()).toBe('')
})
