import { expect, test } from 'vitest'
import { encodeCommand, MalformedReply, RedisError, type Reply, RespReader } from './resp.ts'

function readInPieces(text: string, size: number): Reply[] {
  const replies: Reply[] = []
  const reader = new RespReader((reply) => replies.push(reply))
  const bytes = Buffer.from(text)
  // The same block for all reads, as with a socket: the reader must copy what it retains.
  const block = Buffer.alloc(size)
  for (let at = 0; at < bytes.length; at += size) reader.read(block, bytes.copy(block, 0, at, at + size))
  return replies
}

const WIRE =
  ':0\r\n*3\r\n:1\r\n:-42\r\n:1763766920123\r\n+OK\r\n$5\r\nnaïf\r\n$-1\r\n*-1\r\n*2\r\n*1\r\n$0\r\n\r\n:7\r\n'
const MEANING = [0, [1, -42, 1_763_766_920_123], 'OK', 'naïf', null, null, [[''], 7]]

test('replies are the same however the bytes are split', () => {
  for (let size = 1; size <= Buffer.byteLength(WIRE); size += 1) expect(readInPieces(WIRE, size)).toEqual(MEANING)
})

test('an error reply is a value with its code, also inside a list', () => {
  const [refusal, list] = readInPieces('-NOSCRIPT no such script\r\n*2\r\n-ERR inner\r\n:1\r\n', 7)
  expect(refusal).toBeInstanceOf(RedisError)
  expect(refusal).toMatchObject({ message: 'NOSCRIPT no such script' })
  expect(list).toMatchObject([{ message: 'ERR inner' }, 1])
})

test.each([
  'HTTP/1.1 400\r\n',
  ':12x\r\n',
  '*x\r\n',
  ':\r\n',
  ':-\r\n',
  ':+1\r\n',
  ':1\rx',
  ':12345678901234567\r\n',
  '$-2\r\n',
  '*-2\r\n',
  '$\r\n\r\n',
  '$99999999999\r\n',
  '*99999999999\r\n',
  '$3\r\nabcde\r\n',
  '$3\r\nabc\rx',
  '+OK\rx\r\n',
  '+O\nK\r\n',
  '-ERR\nx\r\n',
  `+${'x'.repeat(70_000)}`,
  '*1\r\n'.repeat(100),
])('bytes that are not RESP are rejected, however they are split: %.20s', (text) => {
  for (const size of [text.length, 1]) expect(() => readInPieces(text, size)).toThrow(MalformedReply)
})

test('lengths of strings are in bytes, not characters', () => {
  expect(encodeCommand(['SET', 'naïf', ''])).toBe('*3\r\n$3\r\nSET\r\n$5\r\nnaïf\r\n$0\r\n\r\n')
})
