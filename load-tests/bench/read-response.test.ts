import { expect, test } from 'vitest'
import { readResponse } from './read-response.ts'

const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'

test.each([
  ['a length', `${head}Content-Length: 5\r\n\r\nhello`, { status: 200, isClosing: false }],
  [
    'chunks',
    `${head}Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n`,
    { status: 200, isClosing: false },
  ],
  [
    'no body',
    'HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
    { status: 429, isClosing: true },
  ],
])('a response with %s is read when its last byte is there, and not before', (_what, text, expected) => {
  const bytes = Buffer.from(text)
  for (let length = 0; length < bytes.length; length += 1)
    expect(readResponse(bytes.subarray(0, length))).toBeUndefined()
  expect(readResponse(bytes)).toEqual({ ...expected, length: bytes.length })
})

test('bytes after the first response are not read', () => {
  const one = `${head}Content-Length: 2\r\n\r\nok`
  expect(readResponse(Buffer.from(one + one))).toMatchObject({ length: one.length })
})
