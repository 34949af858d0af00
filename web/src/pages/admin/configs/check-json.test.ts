import { expect, test } from 'vitest'
import { checkJson, writeJson } from './check-json.ts'

test('an empty text is rejected with a message', () => {
  expect(checkJson(' \n')).toEqual({ ok: false, message: 'JSON string cannot be empty', line: undefined })
})

test('a missing comma is found on the line on which parsing fails', () => {
  const found = checkJson('{\n  "a": 1\n  "b": 2\n}')
  expect(found).toMatchObject({ ok: false, line: 3 })
  expect(found).toHaveProperty('message', expect.stringMatching(/line 3/))
})

test('a text that ends too early is wrong on its last line', () => {
  expect(checkJson('{\n  "a": 1\n')).toMatchObject({ ok: false, line: 2 })
})

test('any JSON is accepted, including a scalar', () => {
  expect(checkJson('null')).toEqual({ ok: true, value: null })
  expect(checkJson(writeJson({ a: [1, { b: '' }] }))).toEqual({ ok: true, value: { a: [1, { b: '' }] } })
})

test.each([
  ['{\n  "a": 1,\n}', 3],
  ['{\n  "a": [1, 2,\n  x]\n}', 3],
  ['{\n  a: 1\n}', 2],
  ["{\n  'a': 1\n}", 2],
  ['{\n  "a": 01\n}', 2],
  ['{\n  "a": "tab\there"\n}', 2],
  ['[\n1\n]\n]', 4],
  ['{\n"a": tru\n}', 2],
  ['[\n1\n}', 3],
])('the error in %j names line %i', (text, line) => {
  expect(checkJson(text)).toMatchObject({ ok: false, line, message: expect.stringMatching(`line ${line}`) })
})
