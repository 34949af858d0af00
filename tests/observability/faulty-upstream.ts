import { once } from 'node:events'
import { createServer, request as send } from 'node:http'

export type FailingShare = {
  port: number
  /** Sets the URL to which requests are forwarded. */
  pointAt: (url: string) => void
  /** From now on one request in so many is answered with 500; undefined: none. */
  setOneIn: (requests: number | undefined) => void
  failed: () => number
  stop: () => void
}

/** An HTTP server in front of a service that answers a small share of the requests with an error. */
export async function startFailingShare(): Promise<FailingShare> {
  let target = new URL('http://127.0.0.1:1')
  let oneIn: number | undefined
  let [received, failed] = [0, 0]
  const server = createServer((request, reply) => {
    received += 1
    if (oneIn !== undefined && received % oneIn === 0) {
      failed += 1
      request.resume()
      reply.writeHead(500).end('{}')
      return
    }
    const { method, url: path, headers } = request
    const forwarded = send({ host: target.hostname, port: target.port, method, path, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 0, answer.rawHeaders)
      answer.on('error', () => reply.destroy()).pipe(reply)
    })
    forwarded.on('error', () => request.socket.destroy())
    reply.on('close', () => forwarded.destroy())
    request.pipe(forwarded)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    port: address.port,
    pointAt: (url) => (target = new URL(url)),
    setOneIn: (requests) => (oneIn = requests),
    failed: () => failed,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
