import { expect, test } from 'vitest'
import type { Json } from './compare-schemas.ts'
import { type ApiDocument, findBreakingChanges } from './find-breaking-changes.ts'

const object = (properties: Record<string, Json>, required: string[] = [], more: Json = {}): Json => ({
  type: 'object',
  properties,
  required,
  ...more,
})
const text: Json = { type: 'string' }

type Parts = { sent?: Json; received?: Json; more?: object; schemas?: Record<string, Json> }

function api({ sent = object({}), received = object({}), more = {}, schemas = {} }: Parts): ApiDocument {
  const operation = {
    operationId: 'make',
    security: [{ key: [] }],
    requestBody: { content: { 'application/json': { schema: sent } } },
    responses: { '200': { content: { 'application/json': { schema: received } } } },
    ...more,
  }
  return { paths: { '/things': { post: operation } }, components: { schemas } }
}

const found = (before: Parts, after: Parts) =>
  findBreakingChanges(api(before), api(after)).map((line) => line.replace('POST /things: ', ''))

test.each<[string, Parts, Parts, string]>([
  ['a new required field', { sent: object({}) }, { sent: object({ a: text }, ['a']) }, 'body: a is required now'],
  [
    'a field that is rejected now',
    { sent: object({ a: text }) },
    { sent: object({}, [], { additionalProperties: false }) },
    'body: a is gone',
  ],
  [
    'a value less',
    { sent: { type: 'string', enum: ['a', 'b'] } },
    { sent: { type: 'string', enum: ['a'] } },
    'body: b is not accepted any more',
  ],
  [
    'a lower maximum',
    { sent: object({ n: { type: 'integer', maximum: 9 } }) },
    { sent: object({ n: { type: 'integer', maximum: 5 } }) },
    'body.n: maximum is 5 and was 9',
  ],
  [
    'a new pattern',
    { sent: text },
    { sent: { type: 'string', pattern: '^a' } },
    'body: pattern is ^a and was unlimited',
  ],
  ['a field less in the answer', { received: object({ a: text }) }, {}, 'answer 200: a is gone'],
  [
    'a field that can be missing',
    { received: object({ a: text }, ['a']) },
    { received: object({ a: text }) },
    'answer 200: a can be missing now',
  ],
  [
    'a field that can be null',
    { received: object({ a: text }) },
    { received: object({ a: { anyOf: [text, { type: 'null' }] } }) },
    'answer 200.a: its type was string and is null',
  ],
  [
    'another type inside of a list of a named schema',
    { received: { type: 'array', items: { $ref: '#/components/schemas/A' } }, schemas: { A: object({ n: text }) } },
    {
      received: { type: 'array', items: { $ref: '#/components/schemas/B' } },
      schemas: { B: object({ n: { type: 'integer' } }) },
    },
    'answer 200[].n: its type was string and is integer',
  ],
  ['another name', {}, { more: { operationId: 'create' } }, 'its name was make and is create'],
  ['a credential less', {}, { more: { security: [{ session: [] }] } }, 'the credential {"key":[]} is refused'],
  ['a new scope', {}, { more: { 'x-scope': 'a:read' } }, 'it needs the scope a:read now'],
  [
    'a required parameter',
    {},
    { more: { parameters: [{ name: 'q', in: 'query', required: true, schema: text }] } },
    'the parameter query q is required now',
  ],
  ['another status', {}, { more: { responses: { '201': {} } } }, 'the answer 200 is gone'],
])('%s is breaking', (_name, before, after, sentence) => {
  expect(found(before, after)).toEqual([sentence])
})

test('a removed call is breaking', () => {
  expect(findBreakingChanges(api({}), { paths: {}, components: { schemas: {} } })).toEqual([
    'POST /things: the call is gone',
  ])
})

test('changes that do not affect old clients are not breaking', () => {
  const before = {
    sent: object({ a: { type: 'string', enum: ['x'] }, n: { type: 'integer', minimum: 2 } }, ['a']),
    received: object({ a: { anyOf: [text, { type: 'null' }] } }),
  }
  const after = {
    sent: object({ a: { type: 'string', enum: ['x', 'y'] }, n: { type: 'integer', minimum: 1 }, b: text }),
    received: object({ a: text, b: text }, ['a']),
    more: { parameters: [{ name: 'q', in: 'query', schema: text }], security: [{ key: [] }, { session: [] }] },
  }
  expect(found(before, after)).toEqual([])
})

test('a schema that contains itself is compared once', () => {
  const node = (value: Json) => ({
    schemas: { Node: object({ value, next: { $ref: '#/components/schemas/Node' } }) },
    received: { $ref: '#/components/schemas/Node' },
  })
  expect(found(node(text), node({ type: 'integer' }))).toEqual(['answer 200.value: its type was string and is integer'])
})
