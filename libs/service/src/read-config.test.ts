import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { readConfig, redactConfig, rolesOf, secret, serviceFields } from './read-config.ts'

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
  expect(read).toThrow('PORT must be an integer from 0 to 65535, but is "seventy"')
  expect(read).toThrow(/NAME is missing/)
  expect(read).toThrow(/PASSWORD/)
  expect(read).not.toThrow(/hunter2/)
})

const Numbers = Type.Object({
  GRACE_SECONDS: Type.Integer({ default: 604_800, minimum: 0, maximum: 2_592_000 }),
  BYTES_MAX: Type.Integer({ default: 64, minimum: 1 }),
  TO_LOOPBACK: Type.Boolean({ default: false }),
})

test.each(['', ' ', '\n'])('an empty number or boolean (%j) counts as not set', (empty) => {
  const env = { GRACE_SECONDS: empty, BYTES_MAX: empty, TO_LOOPBACK: empty }
  expect(readConfig(Numbers, env)).toEqual({ GRACE_SECONDS: 604_800, BYTES_MAX: 64, TO_LOOPBACK: false })
})

test.each(['0.9', '1.5', 'true', 'false', '0x10', '1e3', '8s', '8_000', '1 0', '-1'])(
  '%j is rejected as an integer',
  (value) => {
    expect(() => readConfig(Numbers, { GRACE_SECONDS: value })).toThrow(
      `The configuration is not valid: GRACE_SECONDS must be an integer from 0 to 2592000, but is "${value}"`,
    )
  },
)

test('an integer may have spaces around it', () => {
  expect(readConfig(Numbers, { GRACE_SECONDS: ' 60\n' }).GRACE_SECONDS).toBe(60)
  expect(() => readConfig(Numbers, { BYTES_MAX: '0' })).toThrow('BYTES_MAX must be an integer from 1, but is "0"')
})

const Roles = Type.Object({ ROLES: serviceFields.ROLES })

test.each(['', ' ', 'htpp', 'http,job', 'http,,jobs', 'http consumer', 'http,'])('ROLES=%j is rejected', (ROLES) => {
  expect(() => readConfig(Roles, { ROLES })).toThrow(
    `ROLES must be one or more of http, stream, consumer, jobs and ingest, comma-separated, but is "${ROLES}"`,
  )
})

test('ROLES is a list of roles', () => {
  expect(rolesOf(readConfig(Roles, { ROLES: ' http, stream ' }))).toEqual(new Set(['http', 'stream']))
  expect(rolesOf(readConfig(Roles, {}))).toEqual(new Set(['http', 'stream', 'consumer', 'jobs', 'ingest']))
})

test('a configuration is logged without its secrets', () => {
  const config = readConfig(Schema, { NAME: 'a', PASSWORD: 'longenough' })
  expect(redactConfig(Schema, config)).toEqual({ PORT: 3000, NAME: 'a', PASSWORD: '[redacted]' })
})
