import type { UserActor } from '@tapeline/contracts/actor'
import { type ClientMessage, STREAM_SUBPROTOCOL, type ServerMessage } from '@tapeline/contracts/market-data/stream'
import { ACTOR_HEADER, signActorToken } from '@tapeline/service/actor-token'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { waitUntil } from '@tapeline/testing/wait-until'
import { WebSocket } from 'ws'

/** Headers as the gateway would send them for this actor. */
export function headersOf(actor: UserActor): Record<string, string> {
  const nowMs = Date.now()
  return {
    [ACTOR_HEADER]: signActorToken(testInternalKeys, { caller: 'gateway', audience: 'market-data', actor, nowMs }),
  }
}

export type Received = ServerMessage & { data?: StreamedRecord[] }
export type StreamedRecord = { id: string; symbol: string; sequence: string; ts_event: string; ts_out: string }

const HANDSHAKE_TIMEOUT_MS = 30_000

/** A WebSocket client that keeps what it receives. */
export async function openStream(port: number, actor: UserActor) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/stream`, [STREAM_SUBPROTOCOL], {
    headers: headersOf(actor),
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
  })
  const received: Received[] = []
  let closed: { code: number; reason: string } | undefined
  socket.on('message', (bytes: Buffer) => received.push(JSON.parse(bytes.toString())))
  socket.on('close', (code, reason) => (closed = { code, reason: String(reason) }))
  socket.on('error', () => undefined)
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return {
    socket,
    received,
    send: (message: ClientMessage) => socket.send(JSON.stringify(message)),
    closed: () => closed,
    close: () => socket.terminate(),
    records: (id: string) => received.flatMap((message) => (isBatch(message) && message.id === id ? message.data : [])),
    next: (type: string) => waitUntil(`a message ${type}`, async () => received.find((one) => one.type === type)),
    /** The cursor of the last message that has one. */
    lastCursor: () => received.flatMap((message) => ('cursor' in message ? [message.cursor] : [])).at(-1),
  }
}

function isBatch(message: Received): message is Received & { id: string; data: StreamedRecord[] } {
  return ['trades', 'l2events', 'bbo'].includes(message.type) || /^(?:bars|book)\./.test(message.type)
}
