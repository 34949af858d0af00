import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventBoundary } from './event-boundary.ts'
import { FrameBoundary } from './frame-boundary.ts'
import { closeFrame, PING_FRAME, textFrame } from './frames.ts'

const chunked = (bytes: Buffer, sizes: readonly number[]): Buffer[] => {
  const chunks: Buffer[] = []
  for (let at = 0, n = 0; at < bytes.length; n += 1) {
    const size = sizes[n % sizes.length] ?? 1
    chunks.push(bytes.subarray(at, at + size))
    at += size
  }
  return chunks
}
const sizes = fc.array(fc.integer({ min: 1, max: 70_000 }), { minLength: 1, maxLength: 8 })
const lengths = fc.array(fc.constantFrom(0, 1, 125, 126, 300, 65_535), { minLength: 1, maxLength: 6 })

test('frames split at any byte: a boundary is exactly where a frame ends', () => {
  fc.assert(
    fc.property(lengths, sizes, (ofFrames, ofChunks) => {
      const frames = ofFrames.map((length) => textFrame('x'.repeat(length)))
      const ends = new Set(frames.map((_, n) => Buffer.concat(frames.slice(0, n + 1)).length))
      const boundary = new FrameBoundary()
      let at = 0
      for (const chunk of chunked(Buffer.concat(frames), ofChunks)) {
        boundary.take(chunk)
        at += chunk.length
        expect(boundary.isBetween).toBe(ends.has(at))
      }
      expect([boundary.messages, boundary.isEnded]).toEqual([frames.length, false])
    }),
  )
})

test('only the rest of the current frame is consumed from a chunk with several frames', () => {
  const [first, second] = [textFrame('x'.repeat(300)), textFrame('y')]
  const boundary = new FrameBoundary()
  boundary.take(first.subarray(0, 3))
  expect(boundary.takeToBoundary(Buffer.concat([first.subarray(3, 10)]))).toBe(-1)
  expect(boundary.takeToBoundary(Buffer.concat([first.subarray(10), second]))).toBe(first.length - 10)
  expect(boundary.isBetween).toBe(true)
})

test('a frame of more than 65,535 bytes, and a message in several frames with a ping between them', () => {
  const boundary = new FrameBoundary()
  const long = Buffer.alloc(10 + 70_000)
  long[0] = 0x82
  long[1] = 127
  long.writeBigUInt64BE(70_000n, 2)
  boundary.take(long)
  expect([boundary.isBetween, boundary.messages]).toEqual([true, 1])
  boundary.take(Buffer.from([0x01, 0x01, 0x78]))
  boundary.take(PING_FRAME)
  expect([boundary.isBetween, boundary.messages]).toEqual([false, 1])
  boundary.take(Buffer.from([0x80, 0x01, 0x78]))
  expect([boundary.isBetween, boundary.messages]).toEqual([true, 2])
  boundary.take(closeFrame(1000, 'x'.repeat(200)))
  expect([boundary.isEnded, boundary.messages]).toEqual([true, 2])
})

test('server-sent events split at any byte', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('data: {}', 'event: a\ndata: 1', ': c'), { minLength: 1, maxLength: 6 }),
      sizes,
      (events, ofChunks) => {
        const texts = events.map((event) => `${event}\n\n`)
        const ends = new Set(texts.map((_, n) => texts.slice(0, n + 1).join('').length))
        const boundary = new EventBoundary()
        let at = 0
        for (const chunk of chunked(
          Buffer.from(texts.join('')),
          ofChunks.map((size) => (size % 12) + 1),
        )) {
          boundary.take(chunk)
          at += chunk.length
          expect(boundary.isBetween).toBe(ends.has(at))
        }
        expect(boundary.messages).toBe(events.length)
      },
    ),
  )
})
