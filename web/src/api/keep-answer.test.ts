import { expect, test } from 'vitest'
import { keepAnswerOf } from './keep-answer.ts'

test('the previous answer is kept for another page of the same list', () => {
  const keep = keepAnswerOf({ search: 'ada', role: 'user' })
  const page = { cursor: 'c2', limit: 20 }
  expect(keep('page 1', { queryKey: ['admin-users', { role: 'user', search: 'ada' }, page] })).toBe('page 1')
})

test('the answer to another filter is not shown under this one', () => {
  const keep = keepAnswerOf({ search: 'ada' })
  expect(keep('all', { queryKey: ['admin-users', {}, {}] })).toBeUndefined()
  expect(keep('none', undefined)).toBeUndefined()
})
