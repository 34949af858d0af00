import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

/** A real WebSocket server in the place of market-data: what a test does with each connection is its own. */
export type StreamService = {
  url: string
  /** Open WebSockets, with the request that opened each. */
  open: Map<WebSocket, IncomingMessage>
  onOpen: (socket: WebSocket, request: IncomingMessage) => void
  /** Requests that do not switch: server-sent events. */
  onRequest: (request: IncomingMessage, reply: ServerResponse) => void
  stop: () => Promise<void>
}

export async function startStreamService(): Promise<StreamService> {
  const server = createServer((request, reply) => service.onRequest(request, reply))
  const sockets = new WebSocketServer({ server, handleProtocols: () => 'tapeline.v1' })
  const service: StreamService = {
    url: '',
    open: new Map(),
    onOpen: () => {},
    onRequest: (_request, reply) => reply.writeHead(404).end(),
    async stop() {
      for (const socket of service.open.keys()) socket.terminate()
      sockets.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  sockets.on('connection', (socket, request) => {
    service.open.set(socket, request)
    socket.on('close', () => service.open.delete(socket))
    socket.on('error', () => {})
    service.onOpen(socket, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A listening server has an address that is not a path.
  const { port } = server.address() as AddressInfo
  service.url = `http://127.0.0.1:${port}`
  return service
}
