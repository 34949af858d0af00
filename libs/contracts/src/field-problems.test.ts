import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { fieldProblemsOf } from './field-problems.ts'

const Schema = Type.Object(
  {
    theme: Type.Enum(['light', 'dark']),
    size: Type.Union([Type.Literal(10), Type.Literal(20)]),
    badge: Type.Union([Type.String(), Type.Null()]),
    inner: Type.Object({ count: Type.Integer({ minimum: 1 }) }, { additionalProperties: false }),
  },
  { additionalProperties: false },
)
const valid = { theme: 'dark', size: 10, badge: null, inner: { count: 1 } }

test.each([
  ['a valid document', valid, []],
  ['a value that is not in the list', { ...valid, theme: 'pink' }, [['/theme', 'theme must be one of light, dark']]],
  ['another number', { ...valid, size: 30 }, [['/size', 'size must be one of 10, 20']]],
  ['another type', { ...valid, badge: 7 }, [['/badge', 'badge must be a string or null']]],
  [
    'an unknown field of an object',
    { ...valid, inner: { count: 1, deep: {} } },
    [['/inner/deep', 'deep is not a known field']],
  ],
  ['not a number', { ...valid, inner: { count: Number.NaN } }, [['/inner/count', 'count must be a whole number']]],
  ['a name with a slash', { ...valid, 'a/b': 1 }, [['/a~1b', 'a/b is not a known field']]],
  [
    'missing fields',
    { theme: 'dark', size: 10 },
    [
      ['/badge', 'badge is required'],
      ['/inner', 'inner is required'],
    ],
  ],
  ['null', null, [['/', 'The document must be a JSON object']]],
])('every invalid field is reported once, in words: %s', (_what, value, expected) => {
  const found = fieldProblemsOf(Schema, value).map(({ field, message }) => [field, message])
  expect(new Set(found)).toEqual(new Set(expected))
})

test('the number of problems reported for one document is bounded', () => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`field${n}`, n]))
  expect(fieldProblemsOf(Schema, { ...valid, ...many }).length).toBeLessThanOrEqual(50)
})
