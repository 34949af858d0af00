import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PING_FRAME } from './frames.ts'
import { WebSocketTransport } from './websocket-transport.ts'

const server = createServer()
let port = 0
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterAll(() => server.close())

/** The gateway's side of a real connection, and the client's. */
async function connected(): Promise<{ transport: WebSocketTransport; client: Socket; service: PassThrough }> {
  const client = connect(port, '127.0.0.1')
  const [[socket]] = (await Promise.all([once(server, 'connection'), once(client, 'connect')])) as [[Socket], unknown]
  const reply = new ServerResponse(new IncomingMessage(socket))
  reply.assignSocket(socket)
  socket.on('error', () => socket.destroy())
  const transport = new WebSocketTransport({ socket, head: Buffer.alloc(0) }, reply)
  const service = new PassThrough({ highWaterMark: 1_024 })
  transport.connect(service)
  transport.open(['sec-websocket-accept', 'x', 'connection', 'close'])
  const [head] = await once(client, 'data')
  expect(String(head)).toBe(
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-accept: x\r\n\r\n',
  )
  return { transport, client, service }
}

test('a silent client gets a ping every 20 s, and after 60 s counts as gone', async () => {
  const beforeMs = performance.now()
  const { transport, client } = await connected()
  const afterMs = performance.now()
  expect(transport.checkAlive(beforeMs + 19_000)).toBe(true)
  expect(transport.checkAlive(afterMs + 21_000)).toBe(true)
  expect(await once(client, 'data')).toEqual([PING_FRAME])
  expect(transport.checkAlive(beforeMs + 59_000)).toBe(true)
  expect(transport.checkAlive(afterMs + 61_000)).toBe(false)
  client.destroy()
})

test('no ping is sent inside a message', async () => {
  const { transport, client } = await connected()
  const chunks: Buffer[] = []
  client.on('data', (chunk) => chunks.push(Buffer.from(chunk)))
  transport.boundary.take(Buffer.from([0x81, 5, 0x78]))
  expect(transport.checkAlive(performance.now() + 30_000)).toBe(true)
  transport.client.end()
  await once(client, 'close')
  expect(Buffer.concat(chunks)).toEqual(Buffer.alloc(0))
})

test('a service that reads slowly stops the client, and nothing is lost', async () => {
  const { transport, client, service } = await connected()
  const sent = Buffer.alloc(4_000_000, 'x')
  client.write(sent)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(transport.bytesIn).toBeLessThan(1_000_000)
  client.end()
  let received = 0
  for await (const chunk of service) received += chunk.length
  expect(received).toBe(sent.length)
})
