import { crc32 } from 'node:zlib'
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { isSecretOf, parseKey } from './parse-key.ts'

/** The same vector as in services/api-key, which makes the keys. */
const VECTOR = 'tl_live_000000000000_00000000000000000000000000000000'

test('the key of the shared test vector is parsed', () => {
  const key = `${VECTOR}_33mQrB`
  expect(base62(crc32(VECTOR))).toBe(key.slice(-6))
  expect(parseKey(key)).toEqual({ kind: 'data', environment: 'live', kid: '0'.repeat(12), secret: '0'.repeat(32) })
})

test('a simulator key is a valid key', () => {
  const body = `tl_test_${'a'.repeat(12)}_${'Z'.repeat(32)}`
  expect(parseKey(`${body}_${base62(crc32(body))}`)?.environment).toBe('test')
})

test('a service key is one character shorter and has no environment', () => {
  const body = `tl_svc_${'a'.repeat(12)}_${'Z'.repeat(32)}`
  expect(parseKey(`${body}_${base62(crc32(body))}`)).toMatchObject({ kind: 'service', environment: 'live' })
  expect(parseKey(`${body}_000000`)).toBeUndefined()
})

test.each([
  ['nothing', ''],
  ['another prefix', `tl_prod_000000000000_00000000000000000000000000000000_000000`],
  ['one character more', `${VECTOR}_${base62(crc32(VECTOR))}0`],
  ['a wrong checksum', `${VECTOR}_000000`],
  ['a changed secret', `${VECTOR.slice(0, -1)}1_${base62(crc32(VECTOR))}`],
  ['a character outside base62', `${VECTOR.slice(0, -1)}-_${base62(crc32(VECTOR))}`],
  ['a newline at the end', `${VECTOR}_${base62(crc32(VECTOR)).slice(0, 5)}\n`],
])('%s is not a key', (_what, text) => {
  expect(parseKey(text)).toBeUndefined()
})

test('only the right secret matches its hash', () => {
  const digest = createHash('sha256').update('right').digest()
  expect(isSecretOf('right', digest)).toBe(true)
  expect(isSecretOf('wrong', digest)).toBe(false)
  expect(isSecretOf('right', Buffer.alloc(0))).toBe(false)
})

function base62(value: number): string {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let text = ''
  for (let remainder = value; text.length < 6; remainder = Math.floor(remainder / 62))
    text = alphabet.charAt(remainder % 62) + text
  return text
}
