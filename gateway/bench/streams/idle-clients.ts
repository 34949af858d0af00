import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

/** Clients of idle streams in a process of their own: raw sockets, whose heartbeats are counted. */
export type OpenIdle = { count: number; port: number; apiKey: string }
export type IdleFigures = {
  open: number
  /** By status: streams that were answered with a problem. */
  refused: Record<string, number>
  /** Connections that ended without an answer. */
  ended: number
  /** Fewest heartbeats that an open stream has received. */
  heartbeatsLeast: number
}

const OPENED_AT_ONCE = 50
const HEARTBEAT = Buffer.from('"heartbeat"')
const heartbeats = new Map<Socket, number>()
const refused: Record<string, number> = {}
let ended = 0

process.on('message', async (message: { open?: OpenIdle; close?: true }) => {
  if (message.open !== undefined) await openAll(message.open)
  if (message.close !== undefined) for (const socket of heartbeats.keys()) socket.destroy()
  const counts = [...heartbeats.values()]
  const figures: IdleFigures = { open: counts.length, refused, ended, heartbeatsLeast: Math.min(...counts) }
  process.send?.(figures)
})

process.on('disconnect', () => process.exit())

async function openAll({ count, port, apiKey }: OpenIdle): Promise<void> {
  for (let from = 0; from < count; from += OPENED_AT_ONCE) {
    const length = Math.min(OPENED_AT_ONCE, count - from)
    await Promise.all(Array.from({ length }, () => open(port, apiKey)))
  }
}

/** Resolves when the stream is open, rejected or ended. */
function open(port: number, apiKey: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const socket = connect(port, '127.0.0.1')
  let head = ''
  socket.on('error', () => undefined)
  socket.on('close', () => {
    heartbeats.delete(socket)
    ended += 1
    resolve()
  })
  socket.write(
    `GET /api/v1/stream HTTP/1.1\r\nhost: bench\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n` +
      `sec-websocket-key: ${randomBytes(16).toString('base64')}\r\nsec-websocket-protocol: tapeline.v1\r\n` +
      `x-api-key: ${apiKey}\r\n\r\n`,
  )
  socket.on('data', function receive(chunk: Buffer) {
    head += chunk.toString('latin1')
    if (!head.includes('\r\n\r\n')) return
    socket.off('data', receive)
    const status = head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)
    if (status === '101') {
      heartbeats.set(socket, 0)
      socket.on('data', (bytes: Buffer) => count(socket, bytes))
    } else {
      refused[status] = (refused[status] ?? 0) + 1
      socket.removeAllListeners('close').destroy()
    }
    resolve()
  })
  return promise
}

function count(socket: Socket, bytes: Buffer): void {
  const received = heartbeats.get(socket)
  if (received !== undefined && bytes.includes(HEARTBEAT)) heartbeats.set(socket, received + 1)
}
