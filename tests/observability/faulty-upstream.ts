import { once } from 'node:events'
import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http'

export type FaultyUpstream = {
  port: number
  /** Sets the URL to which requests are forwarded. */
  pointAt: (url: string) => void
  /** From now on one request in so many is answered with 500; undefined: none. */
  failOneIn: (requests: number | undefined) => void
  /** From now on every request is forwarded this many milliseconds late. */
  delayBy: (ms: number) => void
  failed: () => number
  stop: () => void
}

/** An HTTP proxy in front of a service that answers a share of the requests with an error, or all of them late. */
export async function startFaultyUpstream(): Promise<FaultyUpstream> {
  let target = new URL('http://127.0.0.1:1')
  let oneIn: number | undefined
  let delayMs = 0
  let [received, failed] = [0, 0]
  const server = createServer((request, reply) => {
    received += 1
    if (oneIn !== undefined && received % oneIn === 0) {
      failed += 1
      request.resume()
      reply.writeHead(500).end('{}')
      return
    }
    if (delayMs === 0) forward(target, request, reply)
    else setTimeout(() => forward(target, request, reply), delayMs)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    port: address.port,
    pointAt: (url) => (target = new URL(url)),
    failOneIn: (requests) => (oneIn = requests),
    delayBy: (ms) => (delayMs = ms),
    failed: () => failed,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function forward(target: URL, request: IncomingMessage, reply: ServerResponse): void {
  const { method, url: path, headers } = request
  const forwarded = send({ host: target.hostname, port: target.port, method, path, headers }, (answer) => {
    reply.writeHead(answer.statusCode ?? 0, answer.rawHeaders)
    answer.on('error', () => reply.destroy()).pipe(reply)
  })
  forwarded.on('error', () => request.socket.destroy())
  reply.on('close', () => forwarded.destroy())
  request.pipe(forwarded)
}
