import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import {
  ClientMessage,
  STREAM_CLOSE,
  STREAM_MESSAGE_BYTES_MAX,
  STREAM_SUBPROTOCOL,
} from '@tapeline/contracts/market-data/stream'
import { AppError } from '@tapeline/service/app-error'
import type { Server } from '@tapeline/service/create-server'
import { Compile } from 'typebox/compile'
import { type WebSocket, WebSocketServer } from 'ws'
import type { StreamConnection, Transport } from './stream-connection.ts'
import type { StreamCaller, StreamServer } from './stream-server.ts'

type Upgrade = { socket: Duplex; head: Buffer }

const messages = Compile(ClientMessage)
const AS_TEXT = { binary: false }
/** A client that has not answered the close after this time is disconnected. */
const CLOSE_TIMEOUT_MS = 30_000
const MESSAGES_BURST = 100
const MESSAGES_PER_SECOND = 20

/** Upgrade requests are routed like other requests; a route takes them over by `accept`. */
export function createUpgrades(app: Server) {
  const upgrades = new WeakMap<IncomingMessage, Upgrade>()
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: STREAM_MESSAGE_BYTES_MAX,
    perMessageDeflate: false,
    handleProtocols: (offered) => offered.has(STREAM_SUBPROTOCOL) && STREAM_SUBPROTOCOL,
  })
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const response = new ServerResponse(request)
    // @ts-expect-error an upgraded connection is a socket
    response.assignSocket(socket)
    // After a rejected upgrade the server does not end this socket.
    response.shouldKeepAlive = false
    response.once('finish', () => socket.end())
    socket.on('error', () => socket.destroy())
    upgrades.set(request, { socket, head })
    app.routing(request, response)
  })
  return {
    isUpgrade: (request: IncomingMessage) => upgrades.has(request),
    accept(request: IncomingMessage, response: ServerResponse, onOpen: (socket: WebSocket) => void): void {
      const upgrade = upgrades.get(request)
      if (upgrade === undefined) throw new Error('this request is not an upgrade')
      // @ts-expect-error as above
      response.detachSocket(upgrade.socket)
      sockets.handleUpgrade(request, upgrade.socket, upgrade.head, onOpen)
    },
  }
}

/** Serves one client until its socket is closed. */
export function serveWebSocket(socket: WebSocket, streams: StreamServer, caller: StreamCaller): void {
  const connection = streams.open(caller, transportOf(socket))
  const mayAccept = createAllowance()
  socket.on('message', (bytes, isBinary) => {
    if (!mayAccept()) {
      rejectFlood(connection)
      return
    }
    const message = isBinary || !Buffer.isBuffer(bytes) ? undefined : parse(bytes.toString())
    if (message === undefined) reject(connection)
    else void connection.accept(message)
  })
  socket.on('ping', () => {
    if (!mayAccept()) rejectFlood(connection)
  })
  // A frame that breaks the protocol or is too large; `ws` closes the socket with the code for it.
  socket.on('error', () => connection.close())
  socket.on('close', () => connection.close())
}

function transportOf(socket: WebSocket): Transport {
  return {
    send: (message) => socket.send((message.bytes ??= Buffer.from(message.json)), AS_TEXT),
    bufferedBytes: () => socket.bufferedAmount,
    end(code, reason) {
      socket.close(code, reason)
      setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref()
    },
    stop() {},
  }
}

function parse(text: string): ClientMessage | undefined {
  try {
    const message: unknown = JSON.parse(text)
    return messages.Check(message) ? message : undefined
  } catch {
    return undefined
  }
}

function reject(connection: StreamConnection): void {
  const text = 'This is not a message of tapeline.v1: send a JSON text with op subscribe, unsubscribe or ping.'
  connection.sendError(new AppError('stream.message_invalid', text))
  connection.end(STREAM_CLOSE.messageInvalid, 'message invalid')
}

function rejectFlood(connection: StreamConnection): void {
  const message = `A client sends at most ${MESSAGES_PER_SECOND} messages per second.`
  connection.sendError(new AppError('stream.too_many_messages', message))
  connection.end(STREAM_CLOSE.tooManyMessages, 'too many messages')
}

/** A token bucket for the client's messages. */
function createAllowance(): () => boolean {
  let tokens = MESSAGES_BURST
  let atMs = performance.now()
  return () => {
    const nowMs = performance.now()
    tokens = Math.min(MESSAGES_BURST, tokens + ((nowMs - atMs) / 1000) * MESSAGES_PER_SECOND) - 1
    atMs = nowMs
    return tokens >= 0
  }
}
