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
