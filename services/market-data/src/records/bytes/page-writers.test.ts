import { expect, test } from 'vitest'
import { release, takeWriter } from './page-writers.ts'

test('pages that are open at once have buffers of their own', () => {
  const [one, other] = [takeWriter(10), takeWriter(10)]
  one.text('first')
  other.text('second')
  expect([one.view().toString(), other.view().toString()]).toEqual(['first', 'second'])
})

test('a buffer that was given back is used again, empty', () => {
  const writer = takeWriter(10)
  writer.text('first')
  release(writer)
  const next = takeWriter(10)
  expect(next).toBe(writer)
  expect(next.view()).toHaveLength(0)
  expect(takeWriter(10)).not.toBe(writer)
})

test('the buffer of a large page is not kept', () => {
  const writer = takeWriter(10_000)
  release(writer)
  expect(takeWriter(10)).not.toBe(writer)
})
