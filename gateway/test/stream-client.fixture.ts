import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { WebSocket } from 'ws'

export type StreamClient = {
  socket: WebSocket
  messages: string[]
  /** Code and reason once the connection was closed; 1006: without a close frame. */
  closed: Promise<{ code: number; reason: string }>
}
export type Rejected = { status: number; body: Record<string, unknown>; headers: IncomingMessage['headers'] }

const PROTOCOL = 'tapeline.v1'

/** A `ws` client that has opened its stream. */
export async function openStream(url: string, headers: Record<string, string>): Promise<StreamClient> {
  const socket = new WebSocket(url.replace('http', 'ws'), PROTOCOL, { headers })
  const messages: string[] = []
  socket.binaryType = 'nodebuffer'
  socket.on('message', (data) => messages.push(Buffer.isBuffer(data) ? data.toString() : ''))
  const closed = once(socket, 'close').then(([code, reason]) => ({ code: Number(code), reason: String(reason) }))
  // A stream that is rejected fails here, by `open`.
  closed.catch(() => {})
  await once(socket, 'open')
  return { socket, messages, closed }
}

/** The answer to a WebSocket that is not opened. */
export async function rejectedStream(url: string, headers: Record<string, string>): Promise<Rejected> {
  const socket = new WebSocket(url.replace('http', 'ws'), PROTOCOL, { headers })
  socket.on('error', () => {})
  const [, response]: [unknown, IncomingMessage] = (await once(socket, 'unexpected-response')) as never
  const body: Record<string, unknown> = JSON.parse(await text(response))
  return { status: response.statusCode ?? 0, body, headers: response.headers }
}
