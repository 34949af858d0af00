import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

export type RestAnswer = { status: number; body: string; headers?: Record<string, string> }
export type VenueClient = { socket: WebSocket; path: string }

/** The WebSocket and REST server of an emulated venue on one port, with the faults that every venue can have. */
export type VenueServer = {
  /** Base of socket and REST addresses. */
  addresses: { socket: string; rest: string }
  clients: () => VenueClient[]
  send: (text: string, to?: (client: VenueClient) => boolean) => void
  /** Ends connections without a close frame. */
  disconnect: () => void
  /** Ends connections with a close frame, as venues do after 24 h. */
  closeAll: (code: number) => void
  /** Stops answering clients' pings. */
  mutePongs: (isMuted: boolean) => void
  /** The next REST requests get these answers. */
  answerNext: (...answers: RestAnswer[]) => void
  /** Paths of the REST requests so far. */
  requests: string[]
  /** When they arrived, by `performance.now()`. */
  requestTimesMs: number[]
  connections: () => number
  stop: () => Promise<void>
}

export type VenueHandlers = {
  rest: (path: URL) => RestAnswer
  /** A client connected, or sent a text. */
  connected?: (client: VenueClient) => void
  received?: (client: VenueClient, text: string) => void
}

/** Starts the server on a free port of 127.0.0.1. */
export async function startVenueServer({ rest, connected, received }: VenueHandlers): Promise<VenueServer> {
  const clients = new Set<VenueClient>()
  const requests: string[] = []
  const requestTimesMs: number[] = []
  const queued: RestAnswer[] = []
  let isMuted = false
  let connections = 0
  const http = createServer((request, response) => {
    requests.push(request.url ?? '')
    requestTimesMs.push(performance.now())
    const { status, body, headers = {} } = queued.shift() ?? rest(new URL(request.url ?? '/', 'http://venue'))
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  })
  const sockets = new WebSocketServer({ server: http, autoPong: false })
  sockets.on('connection', (socket: WebSocket, request: IncomingMessage) => {
    const client = { socket, path: request.url ?? '' }
    connections += 1
    clients.add(client)
    socket.on('ping', (data) => void (isMuted || socket.pong(data)))
    socket.on('message', (content: Buffer) => received?.(client, content.toString()))
    socket.on('close', () => clients.delete(client))
    socket.on('error', () => socket.terminate())
    connected?.(client)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  return {
    addresses: { socket: `ws://127.0.0.1:${port}`, rest: `http://127.0.0.1:${port}` },
    clients: () => [...clients],
    send(text, to = () => true) {
      for (const client of clients) if (to(client)) client.socket.send(text)
    },
    disconnect() {
      for (const { socket } of clients) socket.terminate()
    },
    closeAll(code) {
      for (const { socket } of clients) socket.close(code)
    },
    mutePongs(muted) {
      isMuted = muted
    },
    answerNext: (...answers) => void queued.push(...answers),
    requests,
    requestTimesMs,
    connections: () => connections,
    async stop() {
      for (const { socket } of clients) socket.terminate()
      sockets.close()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}
