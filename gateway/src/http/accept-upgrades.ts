import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { GatewayRequest, GatewayResponse, pendingReply } from './request-context.ts'

type Listener = (request: GatewayRequest, reply: GatewayResponse) => void

/**
 * A request to switch to WebSocket that has no body, on a connection with no pending answer, which would be lost. Anything else is
 * an ordinary request, whose `Upgrade` is ignored.
 */
export function isWebSocketRequest({ method, headers, socket }: IncomingMessage): boolean {
  const { upgrade, 'content-length': length, 'transfer-encoding': coding } = headers
  if (method !== 'GET' || upgrade?.toLowerCase() !== 'websocket' || pendingReply(socket) !== undefined) return false
  return coding === undefined && (length ?? '0') === '0'
}

/**
 * Such requests pass the pipeline like all others: until the connection has switched, failures are answered with a
 * problem.
 */
export function acceptUpgrades(server: Server, listener: Listener): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    if (!(request instanceof GatewayRequest)) {
      socket.destroy()
      return
    }
    request.socket.setTimeout(0)
    request.switching = { socket: request.socket, head }
    const reply = new GatewayResponse(request)
    reply.shouldKeepAlive = false
    reply.assignSocket(request.socket)
    reply.once('finish', () => request.socket.destroySoon())
    listener(request, reply)
  })
}
