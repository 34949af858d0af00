import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addDistantHost, type DistantHost } from '../../test/distant-host.fixture.ts'
import { EventStreamTransport } from './event-stream-transport.ts'
import { connectionName, Retransmissions } from './retransmissions.ts'

/** Retransmissions come after 0.2, 0.6, 1.4, 3, 6.2 s …, and are read every 5 s. */
const FIVE_RETRANSMISSIONS_WITHIN_MS = 60_000

let host: DistantHost | undefined
let server: Server
let port: number

beforeEach(() => {
  server = createServer()
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
  host?.remove()
  host = undefined
})

async function listen(address: string): Promise<void> {
  server.listen(0, address)
  await once(server, 'listening')
  const bound = server.address()
  port = typeof bound === 'object' && bound !== null ? bound.port : 0
}

/** The gateway's side of the next request, and the kernel's counts of its connection. */
async function opened() {
  const [, reply] = (await once(server, 'request')) as [unknown, ServerResponse]
  const retransmissions = new Retransmissions()
  const transport = new EventStreamTransport(reply, retransmissions)
  transport.open(['content-type', 'text/event-stream'])
  const name = connectionName(reply.req.socket)
  return { transport, retransmitted: () => retransmissions.of(name, performance.now()) }
}

test.for(['0.0.0.0', '::'])(
  'a client whose host has vanished counts as disconnected after 60 s: server at %s',
  { timeout: 180_000 },
  async (address, { skip }) => {
    host = addDistantHost()
    if (host === undefined) return skip('network namespaces need Linux, root and iproute2')
    await listen(address)
    const request = 'GET / HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n'
    host.run(`require('net').connect(${port}, '${host.serverAddress}').on('data', () => {}).write('${request}')`)
    const { transport, retransmitted } = await opened()
    expect(transport.checkAlive(performance.now())).toBe(true)
    host.vanish()
    transport.client.write(':\n\n')
    const vanishedMs = performance.now()
    const isLost = (): boolean => !transport.checkAlive(performance.now()) || retransmitted() >= 5
    await waitUntil('five retransmissions are counted', isLost, FIVE_RETRANSMISSIONS_WITHIN_MS)
    expect(transport.checkAlive(vanishedMs + 59_000)).toBe(true)
    expect(transport.checkAlive(performance.now() + 61_000)).toBe(false)
  },
)

test.skipIf(process.platform !== 'linux')(
  'a client that acknowledges what it does not read stays connected',
  async () => {
    await listen('127.0.0.1')
    const client = connect(port, '127.0.0.1').pause()
    client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    const { transport, retransmitted } = await opened()
    transport.client.write(Buffer.alloc(32_000_000, ':'))
    await waitUntil('the kernel probes the closed window of the client', () => isProbed(client.localPort ?? 0))
    const nowMs = performance.now()
    expect([retransmitted(), transport.checkAlive(nowMs), transport.checkAlive(nowMs + 61_000)]).toEqual([
      0,
      true,
      true,
    ])
    client.destroy()
  },
)

/** Timer `04`: the window of the other end is closed. */
async function isProbed(clientPort: number): Promise<boolean> {
  const table = await readFile('/proc/net/tcp', 'latin1')
  const digits = clientPort.toString(16).toUpperCase().padStart(4, '0')
  return new RegExp(`: [0-9A-F:]{13} [0-9A-F]{8}:${digits} 01 [0-9A-F:]{17} 04:`).test(table)
}
