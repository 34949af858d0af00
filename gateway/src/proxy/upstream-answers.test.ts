import type { Socket } from 'node:net'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Answer, type RawService, startRawService } from '../../test/raw-service.fixture.ts'

let service: RawService

beforeEach(async () => {
  service = await startRawService()
})
afterEach(() => service.stop())

const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
const ANSWERS: [name: string, bytes: string, method: string, expected: Answer][] = [
  [
    'a length',
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-B:  two \r\n\r\nhello',
    'GET',
    { status: 200, headers: ['content-length', '5', 'x-b', 'two'], body: 'hello' },
  ],
  [
    'no body at all',
    'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n',
    'GET',
    { status: 200, headers: ['content-length', '0'], body: '' },
  ],
  [
    'chunks, an extension and a trailer',
    `${CHUNKED}5;a=b;c;d="e f"\r\nhello\r\nA\r\n, \r\nworld!\r\n0\r\nx-t: 1\r\n\r\n`,
    'GET',
    { status: 200, headers: ['transfer-encoding', 'chunked'], body: 'hello, \r\nworld!' },
  ],
  [
    'an interim answer first',
    'HTTP/1.1 103 Early\r\nlink: x\r\n\r\nHTTP/1.1 404 \r\ncontent-length: 2\r\n\r\n{}',
    'GET',
    { status: 404, headers: ['content-length', '2'], body: '{}' },
  ],
  [
    'HEAD',
    'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n',
    'HEAD',
    { status: 200, headers: ['content-length', '5'], body: '' },
  ],
  ['204', 'HTTP/1.1 204 No Content\r\n\r\n', 'GET', { status: 204, headers: [], body: '' }],
  [
    '304 with a length',
    'HTTP/1.1 304 x\r\ncontent-length: 9\r\n\r\n',
    'GET',
    { status: 304, headers: ['content-length', '9'], body: '' },
  ],
]

async function writeInPieces(socket: Socket, text: string, bytes: number): Promise<void> {
  for (let at = 0; at < text.length; at += bytes) {
    socket.write(text.slice(at, at + bytes), 'latin1')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

test.each(ANSWERS)('an answer is parsed however it is split: %s', async (_name, bytes, method, expected) => {
  for (const size of [1, 2, 3, 7, 1_000]) {
    service.answerWith = (socket) => void writeInPieces(socket, bytes, size)
    expect(await service.request({ method }).answer, `${size} bytes at a time`).toEqual(expected)
  }
  expect(service.sockets).toHaveLength(1)
})

test('an answer without a length ends with its connection', async () => {
  service.answerWith = (socket) => socket.end('HTTP/1.1 200 OK\r\nx-c: 1\r\n\r\nall of it')
  expect(await service.request().answer).toEqual({ status: 200, headers: ['x-c', '1'], body: 'all of it' })
  expect(await service.request().answer).toMatchObject({ body: 'all of it' })
  expect(service.sockets).toHaveLength(2)
})

test.each([
  ['an answer of HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n'],
  ['Connection: close', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: x-a, Close\r\n\r\n'],
  ['bytes behind the answer', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\nHTTP/1.1 200 OK\r\n'],
])('the connection is not used again after %s', async (_name, bytes) => {
  service.answerWith = (socket) => socket.write(bytes)
  expect(await service.request().answer).toMatchObject({ status: 200, body: '' })
  expect(await service.request().answer).toMatchObject({ status: 200, body: '' })
  expect(service.sockets).toHaveLength(2)
})

test.each([
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 5\r\n\r\nhello'],
  ['a length that is none', 'HTTP/1.1 200 OK\r\ncontent-length: +5\r\n\r\nhello'],
  ['a length and chunks', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['an unknown coding', 'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
  ['a folded line', 'HTTP/1.1 200 OK\r\nx-a: 1\r\n 2\r\ncontent-length: 0\r\n\r\n'],
  ['a blank before the colon', 'HTTP/1.1 200 OK\r\ncontent-length : 0\r\n\r\n'],
  ['no colon', 'HTTP/1.1 200 OK\r\nnothing\r\ncontent-length: 0\r\n\r\n'],
  ['a bare line feed', 'HTTP/1.1 200 OK\r\nx-a: 1\ncontent-length: 0\r\n\r\n'],
  ['a control character', 'HTTP/1.1 200 OK\r\nx-a: \u0001\r\ncontent-length: 0\r\n\r\n'],
  ['another protocol', 'SSH-2.0-x\r\n\r\n'],
  ['a status of two digits', 'HTTP/1.1 20 OK\r\ncontent-length: 0\r\n\r\n'],
  ['a switch of protocols', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n'],
  ['a head without end', `HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(20_000)}`],
  ['a chunk without a size', `${CHUNKED}\r\nhello\r\n0\r\n\r\n`],
  ['a chunk with a negative size', `${CHUNKED}-5\r\nhello\r\n0\r\n\r\n`],
  ['a chunk that is longer than its size', `${CHUNKED}3\r\nhello\r\n0\r\n\r\n`],
  ['a chunk size that overflows', `${CHUNKED}fffffffff\r\nhello\r\n0\r\n\r\n`],
  ['a chunk extension that is malformed', `${CHUNKED}5;a==b\r\nhello\r\n0\r\n\r\n`],
  ['a trailer without a colon', `${CHUNKED}0\r\nhello\r\n\r\n`],
  ['a trailer with a bare line feed', `${CHUNKED}0\r\nx-t: 1\n\r\n\r\n`],
  ['a chunk line with a bare line feed', `${CHUNKED}5\nhello\r\n0\r\n\r\n`],
])('an ambiguous answer is rejected: %s', async (_name, bytes) => {
  service.answerWith = (socket) => socket.write(bytes, 'latin1')
  await expect(service.request().answer).rejects.toMatchObject({ code: 'UPSTREAM_MALFORMED' })
  await waitUntil('the connection is closed', () => service.sockets[0]?.closed)
})

test.each([
  ['in the head', 'HTTP/1.1 200 OK\r\nconte'],
  ['in the body', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhell'],
  ['in a chunk', `${CHUNKED}9\r\nhell`],
  ['before the last chunk', `${CHUNKED}4\r\nhell\r\n`],
])('an answer that ends %s is never treated as complete', async (_name, bytes) => {
  service.answerWith = (socket) => socket.end(bytes)
  await expect(service.request().answer).rejects.toMatchObject({ code: 'ECONNRESET' })
})
