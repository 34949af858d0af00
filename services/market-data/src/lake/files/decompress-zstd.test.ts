import { randomBytes } from 'node:crypto'
import { constants, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { decompressZstd } from './decompress-zstd.ts'

const contents: [string, Buffer][] = [
  ['nothing', Buffer.alloc(0)],
  ['one byte', Buffer.of(7)],
  ['random bytes, which zstd stores as they are', randomBytes(8_192)],
  ['random bytes in several blocks', randomBytes(400_000)],
  ['one byte repeated', Buffer.alloc(300_000, 9)],
  ['text', Buffer.from('the same words and the same words again, '.repeat(500))],
  ['random bytes and text', Buffer.concat([randomBytes(200_000), Buffer.from('words, '.repeat(30_000))])],
]

test.each(contents)('%s decompresses to the original, with and without a checksum', (_what, content) => {
  for (const checksumFlag of [0, 1]) {
    for (const level of [1, 3, 12]) {
      const params = { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_checksumFlag]: checksumFlag }
      expect(Buffer.from(decompressZstd(zstdCompressSync(content, { params }), content.length)).equals(content)).toBe(
        true,
      )
    }
  }
})

test('a frame that is cut off or of another format fails', () => {
  const frame = zstdCompressSync(randomBytes(8_192))
  expect(() => decompressZstd(frame.subarray(0, 4_000), 8_192)).toThrow()
  expect(() => decompressZstd(frame.subarray(0, 7), 8_192)).toThrow()
  expect(() => decompressZstd(randomBytes(100), 8_192)).toThrow()
})

test('a frame that is longer than announced is read whole', () => {
  const text = Buffer.from('the same words and the same words again, '.repeat(500))
  expect(Buffer.from(decompressZstd(zstdCompressSync(text), 10)).equals(text)).toBe(true)
})

test('two frames after each other are both read', () => {
  const [one, other] = [randomBytes(1_000), randomBytes(1_000)]
  const both = Buffer.concat([zstdCompressSync(one), zstdCompressSync(other)])
  expect(Buffer.from(decompressZstd(both, 2_000)).equals(Buffer.concat([one, other]))).toBe(true)
})
