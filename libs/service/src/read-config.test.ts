import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { readConfig, redactConfig, secret } from './read-config.ts'

const Schema = Type.Object({
  PORT: Type.Integer({ default: 3000, minimum: 0, maximum: 65_535 }),
  NAME: Type.String({ minLength: 1 }),
  PASSWORD: secret(Type.String({ minLength: 8 })),
})

test('numbers are parsed and defaults are filled in', () => {
  expect(readConfig(Schema, { NAME: 'a', PASSWORD: 'longenough' })).toEqual({
    PORT: 3000,
    NAME: 'a',
    PASSWORD: 'longenough',
  })
  expect(readConfig(Schema, { NAME: 'a', PASSWORD: 'longenough', PORT: '81' }).PORT).toBe(81)
})

test('all problems are reported at once, without secrets', () => {
  const read = () => readConfig(Schema, { PORT: 'seventy', PASSWORD: 'hunter2' })
  expect(read).toThrow(/PORT/)
  expect(read).toThrow(/NAME is missing/)
  expect(read).toThrow(/PASSWORD/)
  expect(read).not.toThrow(/hunter2/)
})

test('a configuration is logged without its secrets', () => {
  const config = readConfig(Schema, { NAME: 'a', PASSWORD: 'longenough' })
  expect(redactConfig(Schema, config)).toEqual({ PORT: 3000, NAME: 'a', PASSWORD: '[redacted]' })
})
