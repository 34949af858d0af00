import { stat } from 'node:fs'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { GET, poolTo, type RawService, recordingHandler, startRawService } from '../../test/raw-service.fixture.ts'

let service: RawService

beforeEach(async () => {
  service = await startRawService()
})
afterEach(() => service.stop())

test('unsolicited bytes are never taken for an answer', async () => {
  service.answerWith = (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n1')
  expect(await service.request().answer).toMatchObject({ body: '1' })
  service.sockets[0]?.write('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\npoison')
  await waitUntil('the connection is closed', () => service.sockets[0]?.closed)
  expect(await service.request().answer).toMatchObject({ body: '1' })
  expect(service.sockets).toHaveLength(2)
})

test('unsolicited bytes that arrive just before a request is dispatched are never taken for its answer', async () => {
  service.answerWith = (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n1')
  for (let n = 0; n < 20; n += 1) {
    expect(await service.request().answer).toMatchObject({ body: '1' })
    const socket = service.sockets.at(-1)
    const answer = await new Promise((resolve) => {
      // The callback of an I/O operation: the poll of this turn of the event loop is over.
      stat('.', () => {
        socket?.write('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\npoison')
        resolve(service.request().answer)
      })
    })
    expect(answer).toMatchObject({ body: '1' })
  }
})

test('the number of connections is bounded, and a waiting request gets the next free one', async () => {
  const open: Socket[] = []
  service.answerWith = (socket) => void open.push(socket)
  const all = [service.request(), service.request(), service.request(), service.request()]
  await waitUntil('two requests arrived', () => open.length === 2)
  await delay(20)
  expect(service.requests).toHaveLength(2)
  service.answerWith = (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
  for (const socket of open) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
  await Promise.all(all.map(({ answer }) => answer))
  expect([service.requests.length, service.sockets.length]).toEqual([4, 2])
})

test('a slow client applies back-pressure to the service and receives everything', async () => {
  const pieces = 400
  const piece = 'x'.repeat(65_536)
  let written = 0
  service.answerWith = (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${pieces * piece.length}\r\n\r\n`)
    const more = (): void => {
      for (; written < pieces; written += 1) {
        if (!socket.write(piece)) {
          written += 1
          socket.once('drain', more)
          return
        }
      }
    }
    more()
  }
  const taken = recordingHandler()
  let bytes = 0
  let resume = (): void => {}
  let isReading = false
  taken.onHeaders = (_status, _headers, resumeReading) => {
    resume = resumeReading
    return true
  }
  taken.onData = (data) => {
    bytes += data.length
    return isReading
  }
  service.pool.dispatch(GET, taken)
  await waitUntil('data arrived', () => bytes > 0)
  await delay(200)
  expect(written).toBeLessThan(pieces)
  expect(bytes).toBeLessThan(pieces * piece.length)
  isReading = true
  resume()
  await taken.answer
  expect(bytes).toBe(pieces * piece.length)
})

test('an aborted request closes its connection and affects no other request', async () => {
  service.answerWith = () => {}
  const cancelled = service.request()
  await waitUntil('it arrived', () => service.requests.length === 1)
  service.answerWith = (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
  const other = service.request()
  cancelled.abort?.()
  await expect(cancelled.answer).rejects.toThrow('aborted')
  expect(await other.answer).toMatchObject({ body: 'ok' })
  await waitUntil('the connection is closed', () => service.sockets[0]?.closed)
  cancelled.abort?.()
  expect(await service.request().answer).toMatchObject({ body: 'ok' })
})

test('a client that disconnects before a connection is free causes no request', async () => {
  service.answerWith = (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
  const aborting = recordingHandler()
  aborting.onConnect = (abort) => abort()
  service.pool.dispatch(GET, aborting)
  expect(await service.request({ path: '/later' }).answer).toMatchObject({ body: 'ok' })
  expect(service.requests.map((text) => text.split(' ')[1])).toEqual(['/later'])
})

test('a request is written completely, and never as two', async () => {
  service.answerWith = (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
  await service.request({ method: 'POST', body: Buffer.from('{"a":1}') }).answer
  await service.request({ method: 'POST' }).answer
  const port = new URL(`http://${/host: (.*)\r\n/.exec(service.requests[0] ?? '')?.[1]}`).port
  const head = (line: string) =>
    `POST /x HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: keep-alive\r\nx-a: 1\r\n${line}\r\n\r\n`
  expect(service.requests[0]?.startsWith(head('content-length: 7'))).toBe(true)
  expect(service.requests[1]).toBe(head('content-length: 0'))
  for (const unsafe of [
    { path: '/x HTTP/1.1\r\nhost: y' },
    { path: '/\u0000' },
    { headers: ['x-a', '1\r\nx-actor: forged'] },
    { headers: ['x-a', '1\n2'] },
  ]) {
    await expect(service.request(unsafe).answer).rejects.toMatchObject({ code: 'UPSTREAM_MALFORMED' })
  }
  expect(service.requests).toHaveLength(2)
})

test('a refused connection fails with ECONNREFUSED', async () => {
  const pool = poolTo('http://127.0.0.1:1')
  const taken = recordingHandler()
  pool.dispatch(GET, taken)
  await expect(taken.answer).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  pool.destroy()
})
