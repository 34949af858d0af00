import type { IncomingHttpHeaders } from 'node:http'
import type { Edge } from './gateway.fixture.ts'

export type ServedRequest = {
  headers: IncomingHttpHeaders
  method: string | undefined
  url: string | undefined
  body: Buffer
}

/** The next request as the service behind the gateway receives it; it answers an empty object. */
export function nextServedRequest(edge: Edge): Promise<ServedRequest> {
  const { promise, resolve } = Promise.withResolvers<ServedRequest>()
  edge.upstream = (request, reply) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      resolve({ headers: request.headers, method: request.method, url: request.url, body: Buffer.concat(chunks) })
      reply.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  }
  return promise
}
