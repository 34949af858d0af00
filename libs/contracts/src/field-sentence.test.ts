import { expect, test } from 'vitest'
import { fieldSentence, limitOf } from './field-sentence.ts'

test.each([
  ['minProperties', { limit: 1 }, 'must have at least 1 field'],
  ['maxItems', { limit: 1 }, 'must have at most 1 entry'],
  ['maxItems', { limit: 50 }, 'must have at most 50 entries'],
  ['minLength', { limit: 1 }, 'must not be empty'],
  ['minLength', { limit: 43 }, 'must have at least 43 characters'],
  ['exclusiveMinimum', { limit: 0, comparison: '>' }, 'must be more than 0'],
  ['enum', { allowedValues: ['a', 'b'] }, 'must be one of a, b'],
  ['const', { allowedValue: 'a' }, 'must be a'],
  ['multipleOf', { multipleOf: 5 }, 'must be a multiple of 5'],
  ['uniqueItems', { i: 0, j: 1 }, 'must not contain the same entry twice'],
  ['format', { format: 'date-time' }, 'must be a date and time in RFC 3339, like 2026-03-12T00:00:00Z'],
  ['format', { format: 'ipv4' }, 'has the wrong format'],
  ['oneOf', { passingSchemas: null }, 'is not valid'],
])('the rule %s with %j reads as a sentence about the field', (rule, params, sentence) => {
  expect(fieldSentence(rule, limitOf(params))).toBe(sentence)
})
