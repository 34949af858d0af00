import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { checksum, formatKey, hashSecret, keyPrefix, newSecret } from './secret.ts'

test('a key has the format that the gateway parses', () => {
  const vector = 'tl_live_000000000000_00000000000000000000000000000000_33mQrB'
  expect(formatKey('live', '0'.repeat(12), '0'.repeat(32))).toBe(vector)
})

test.each([
  ['', '000000'],
  ['a', '4GEHKN'],
  ['tl_test_abcDEF012345_ZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZ', '0sqHJ0'],
])('the checksum of "%s" is %s', (body, expected) => {
  expect(checksum(body)).toBe(expected)
})

test('a new key has the right format, a matching checksum and the hash of its secret', () => {
  const { apiKey, kid, secretSha256 } = newSecret('live')
  const [, secret = ''] = /^tl_live_[0-9A-Za-z]{12}_([0-9A-Za-z]{32})_[0-9A-Za-z]{6}$/.exec(apiKey) ?? []
  expect(apiKey).toBe(formatKey('live', kid, secret))
  expect(secretSha256).toEqual(createHash('sha256').update(secret).digest())
  expect(hashSecret(secret)).toEqual(secretSha256)
})

test('the prefix in lists is 20 characters and contains nothing of the secret', () => {
  const { apiKey, kid } = newSecret('live')
  expect(keyPrefix('live', kid)).toHaveLength(20)
  expect(apiKey.startsWith(`${keyPrefix('live', kid)}_`)).toBe(true)
})

test('all characters are equally likely', () => {
  const counts = new Map<string, number>()
  for (let key = 0; key < 2_000; key += 1) {
    for (const character of newSecret('live').apiKey.slice(21, 53))
      counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  const expected = (2_000 * 32) / 62
  expect(counts.size).toBe(62)
  // Six standard deviations: a bias such as that of "byte % 62" (25 % for eight characters) is far outside.
  for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(6 * Math.sqrt(expected))
})
