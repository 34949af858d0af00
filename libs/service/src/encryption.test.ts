import { expect, test } from 'vitest'
import { decrypt, encrypt, isEncryptedWithNewest, readSecrets } from './encryption.ts'

const purpose = 'a test'
const [OLD, NEW] = ['an older secret of the test', 'the newest secret of the test']
const both = { secret: readSecrets(`${NEW},${OLD}`), purpose }

test('of several secrets the newest encrypts and all decrypt', () => {
  const before = encrypt({ secret: OLD, purpose }, 'text')
  const after = encrypt(both, 'text')
  expect([decrypt(both, before), decrypt(both, after)]).toEqual(['text', 'text'])
  expect(decrypt({ secret: NEW, purpose }, after)).toBe('text')
  expect([isEncryptedWithNewest(both, before), isEncryptedWithNewest(both, after)]).toEqual([false, true])
})

test('another secret, another purpose and modified data are rejected', () => {
  const sealed = encrypt(both, 'text')
  expect(() => decrypt({ secret: OLD, purpose }, sealed)).toThrow()
  expect(() => decrypt({ ...both, purpose: 'another' }, sealed)).toThrow()
  const modified = Buffer.from(sealed)
  modified[modified.length - 1] = (modified.at(-1) ?? 0) ^ 1
  expect(() => decrypt(both, modified)).toThrow()
  expect(() => decrypt(both, Buffer.alloc(0))).toThrow()
  expect(isEncryptedWithNewest(both, modified)).toBe(false)
})
