import { expect, test } from 'vitest'
import { canonical, normalised, referring } from './schemas.ts'

const literal = (value: string) => ({ type: 'string', enum: [value] })

test('a union of literals is one enum, also beside other alternatives', () => {
  expect(normalised({ anyOf: [literal('a'), literal('b')], description: 'x' })).toEqual({
    description: 'x',
    type: 'string',
    enum: ['a', 'b'],
  })
  const nullable = { anyOf: [literal('a'), literal('b'), { type: 'null' }] }
  expect(normalised(nullable)).toEqual({ anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }] })
  expect(normalised({ anyOf: [literal('a'), { type: 'integer' }] })).toEqual({
    anyOf: [literal('a'), { type: 'integer', format: 'int64' }],
  })
  expect(normalised({ enum: ['a'] })).toEqual({ type: 'string', enum: ['a'] })
  expect(normalised({ type: 'string', const: 'a' })).toEqual({ type: 'string', enum: ['a'] })
})

test('strings of several formats are one string, also beside null', () => {
  const formats = [
    { type: 'string', format: 'date-time' },
    { type: 'string', format: 'date' },
  ]
  expect(normalised({ anyOf: formats, description: 'x' })).toEqual({ description: 'x', type: 'string' })
  expect(normalised({ anyOf: [...formats, { type: 'null' }] })).toEqual({
    anyOf: [{ type: 'string' }, { type: 'null' }],
  })
  expect(normalised({ anyOf: [formats[0], { type: 'null' }] })).toEqual({ anyOf: [formats[0], { type: 'null' }] })
})

test('a constant boolean is documented as a boolean', () => {
  expect(normalised({ type: 'boolean', enum: [true] })).toEqual({ type: 'boolean' })
  expect(normalised({ type: 'boolean', const: false })).toEqual({ type: 'boolean' })
})

test('an integer has 64 bits unless its bounds fit 32', () => {
  const integer = { type: 'integer', minimum: 1 }
  expect(normalised(integer)).toEqual({ ...integer, format: 'int64' })
  expect(normalised({ ...integer, maximum: 2 ** 31 })).toEqual({ ...integer, maximum: 2 ** 31, format: 'int64' })
  expect(normalised({ ...integer, maximum: 1_000 })).toEqual({ ...integer, maximum: 1_000 })
})

test('a tuple has a fixed length and no draft-7 list of items', () => {
  const text = { type: 'string' }
  const pair = normalised({ type: 'array', items: [text, text], additionalItems: false })
  expect(pair).toEqual({ type: 'array', minItems: 2, maxItems: 2, items: text })
  const mixed = normalised({ type: 'array', items: [text, { type: 'integer' }], additionalItems: false })
  expect(mixed).toEqual({
    type: 'array',
    minItems: 2,
    maxItems: 2,
    prefixItems: [text, { type: 'integer', format: 'int64' }],
    items: false,
  })
})

test('named schemas are referenced at every depth, regardless of the order of their fields', () => {
  const inner = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }
  const outer = { type: 'object', properties: { inner } }
  const names = new Map([
    [canonical(inner), 'Inner'],
    [canonical(outer), 'Outer'],
  ])
  const components = new Map<string, unknown>()
  const same = {
    type: 'object',
    properties: { inner: { required: inner.required, properties: inner.properties, type: inner.type } },
  }
  expect(referring({ schema: same }, names, components)).toEqual({ schema: { $ref: '#/components/schemas/Outer' } })
  expect(Object.fromEntries(components)).toEqual({
    Outer: { type: 'object', properties: { inner: { $ref: '#/components/schemas/Inner' } } },
    Inner: inner,
  })
})
