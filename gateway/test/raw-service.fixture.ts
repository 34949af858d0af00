import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import type { ResponseHandler, UpstreamRequest } from '../src/proxy/upstream-request.ts'
import { UpstreamPool } from '../src/proxy/upstream-pool.ts'

export type Answer = { status: number; headers: string[]; body: string }
export type ReceivedRequest = ResponseHandler & { answer: Promise<Answer>; abort: (() => void) | undefined }
/** A service that answers with given bytes, and a pool of connections to it. */
export type RawService = {
  sockets: Socket[]
  requests: string[]
  answerWith: (socket: Socket) => void
  pool: UpstreamPool
  request: (changes?: Partial<UpstreamRequest>) => ReceivedRequest
  stop: () => Promise<void>
}

const CONNECTIONS = 2
export const GET: UpstreamRequest = { path: '/x', method: 'GET', headers: ['x-a', '1'], body: null }

export async function startRawService(): Promise<RawService> {
  const server = createServer((socket) => listenTo(service, socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const pool = poolTo(`http://127.0.0.1:${portOf(server)}`)
  const service: RawService = {
    sockets: [],
    requests: [],
    answerWith: () => {},
    pool,
    request(changes = {}) {
      const taken = recordingHandler()
      pool.dispatch({ ...GET, ...changes }, taken)
      return taken
    },
    async stop() {
      pool.destroy()
      for (const socket of service.sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  return service
}

export function poolTo(url: string): UpstreamPool {
  return new UpstreamPool({ url, connections: CONNECTIONS, connectTimeoutMs: 5_000, keepAliveMs: 60_000 })
}

function listenTo(service: RawService, socket: Socket): void {
  service.sockets.push(socket)
  let text = ''
  socket.setNoDelay(true).on('error', () => {})
  socket.on('data', (bytes) => {
    text += String(bytes)
    if (!text.includes('\r\n\r\n')) return
    service.requests.push(text)
    text = ''
    service.answerWith(socket)
  })
}

/** Collects an answer; rejects with what went wrong. */
export function recordingHandler(): ReceivedRequest {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  promise.catch(() => {})
  const answer: Answer = { status: 0, headers: [], body: '' }
  const taken: ReceivedRequest = {
    answer: promise,
    abort: undefined,
    onConnect: (abort) => void (taken.abort = abort),
    onHeaders(status, headers) {
      Object.assign(answer, { status, headers: headers.map(String) })
      return true
    },
    onData(piece) {
      answer.body += piece.toString('latin1')
      return true
    },
    onComplete: () => resolve(answer),
    onError: reject,
  }
  return taken
}

function portOf(server: Server): number {
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the service does not listen')
  return address.port
}
