import { expect, test } from 'vitest'
import { crc32c } from './crc32c.ts'

const ascending = Uint8Array.from({ length: 32 }, (_value, n) => n)

// Test vectors of RFC 3720, appendix B.4, and the check value of the CRC catalog.
test.each([
  ['nine digits', Buffer.from('123456789'), 0xe3069283],
  ['32 zeros', new Uint8Array(32), 0x8a9136aa],
  ['32 ones', new Uint8Array(32).fill(0xff), 0x62a8ab43],
  ['32 ascending', ascending, 0x46dd794e],
  ['32 descending', ascending.toReversed(), 0x113fdb5c],
  ['nothing', new Uint8Array(0), 0],
])('the checksum of %s', (_name, bytes, expected) => {
  expect(crc32c(bytes, 0, bytes.length)).toBe(expected)
})

test('only the bytes of the range are included', () => {
  expect(crc32c(Buffer.from('xx123456789x'), 2, 11)).toBe(0xe3069283)
})
