import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccount } from '../../test/account.fixture.ts'
import { type Edge, startEdge } from '../../test/gateway.fixture.ts'
import { type GatewayProcess, startGatewayProcess } from '../../test/gateway-process.fixture.ts'
import { socketClosed } from '../../test/socket-closed.fixture.ts'

let edge: Edge
let gateway: GatewayProcess

beforeAll(async () => {
  edge = await startEdge()
  gateway = await startGatewayProcess(edge, { KAFKA_TOPIC_PREFIX: 'pipelining-has-none-' })
})
afterAll(async () => {
  await gateway.stop()
  await edge.stop()
})

function open(): { socket: Socket; text: () => string } {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => (text += String(chunk))).on('error', () => {})
  return { socket, text: () => text }
}

const get = (path: string, ...lines: string[]) => [`GET ${path} HTTP/1.1`, 'host: x', ...lines, '', ''].join('\r\n')

test('Upgrade is ignored behind a request whose answer is pending: both are answered, and the gateway continues', async () => {
  const pending: ServerResponse[] = []
  edge.upstream = (_request, reply) => void pending.push(reply)
  const key = `x-api-key: ${addAccount(edge).apiKey}`
  const upgrade = get('/api/v1/stream', key, 'connection: upgrade, close', 'upgrade: websocket')
  const { socket, text } = open()
  socket.write(get('/api/v1/instruments', key) + upgrade)
  await waitUntil('the service has both, or the connection is closed', () => pending.length === 2 || socket.closed)
  for (const reply of pending) reply.writeHead(406).end()
  await socketClosed(socket)
  expect(text().match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 406', 'HTTP/1.1 406'])
  expect(gateway.child.exitCode).toBe(null)
})

test('requests behind an open stream are not in flight once they are answered', async () => {
  const event = 'event: open\ndata: {}\n\n'
  edge.upstream = (_request, reply) => {
    reply.writeHead(200, { 'content-type': 'text/event-stream' }).write(event)
    const writing = setInterval(() => reply.write(event), 500)
    reply.on('close', () => clearInterval(writing))
  }
  const { socket, text } = open()
  socket.write(get('/api/v1/sample/stream/BTC-USDT'))
  await waitUntil('the stream is open', () => text().includes(event))
  const received = await requestsReceived()
  socket.write(get('/nothing').repeat(1_000))
  await waitUntil('all are answered', async () => (await requestsReceived()) >= received + 1_000)
  expect(await metric('gateway_in_flight ')).toBeLessThan(100)
  expect(socket.closed).toBe(false)
  socket.destroy()
})

async function metric(start: string): Promise<number> {
  const lines = (await gateway.metrics()).split('\n').filter((line) => line.startsWith(start))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

const requestsReceived = () => metric('gateway_requests_total{')
