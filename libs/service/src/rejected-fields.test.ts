import { expect, test } from 'vitest'
import { readRejectedFields, writeRejectedFields } from './rejected-fields.ts'

const SECRET = `tl_live_${'k'.repeat(30)}`

test.each([
  [{ field: '/limit', message: 'limit must be 1000 or less', rule: 'maximum', limit: 1_000 }, undefined],
  [{ field: 'from', message: 'from must be a date', rule: 'format', limit: 'date-time' }, undefined],
  [{ field: '/', message: 'The body must be a JSON object', rule: 'type', limit: 'object' }, undefined],
  [{ field: '/symbols/3', message: `There is no symbol ${SECRET}.` }, { field: '/symbols/3' }],
  [{ field: '/ips/0', message: '', rule: 'networkHostBits', limit: '10.0.0.0/8' }, { field: '/ips/0' }],
  [{ field: `/${SECRET}`, message: '', rule: 'additionalProperties' }, { field: '/' }],
  [{ field: '/ключ', message: '', rule: 'additionalProperties' }, { field: '/' }],
])('%j reaches the gateway without what the client sent', (error, expected) => {
  const { message: _message, ...same } = error
  const header = writeRejectedFields([error]) ?? ''
  expect(header).not.toContain(SECRET)
  expect(JSON.parse(readRejectedFields(header) ?? '')).toEqual([expected ?? same])
})

test('the first fields that fit into 200 bytes are reported', () => {
  const errors = Array.from({ length: 50 }, (_, n) => ({ field: `/field_${n}`, message: '', rule: 'required' }))
  const header = writeRejectedFields(errors) ?? ''
  expect(header.length).toBeLessThanOrEqual(200)
  expect(JSON.parse(header).slice(0, 2)).toEqual([
    { field: '/field_0', rule: 'required' },
    { field: '/field_1', rule: 'required' },
  ])
  expect(writeRejectedFields([])).toBeUndefined()
})

test('a limit that does not fit is omitted, the field is kept', () => {
  const limit = 'a, '.repeat(80)
  expect(writeRejectedFields([{ field: '/side', message: '', rule: 'enum', limit }])).toBe('[{"field":"/side"}]')
})
