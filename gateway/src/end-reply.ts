import type { Socket } from 'node:net'
import type { GatewayReply } from './exchange.ts'

const answeredEarly = new WeakSet<Socket>()

/**
 * Ends an answer, also when the request's body has not arrived yet. Closing a connection with unread bytes resets it, and
 * the client may lose the answer: the body is read and discarded first. The server's request timeout bounds the wait.
 */
export function endReply(reply: GatewayReply, headers: readonly string[], last: Buffer | string | undefined): void {
  const { req: request } = reply
  if (request.complete || request.destroyed || !hasBody(request.headers)) {
    reply.end(last)
    return
  }
  if (headers.includes('content-length')) {
    if (last === undefined) reply.flushHeaders()
    else reply.write(last)
    request.once('end', () => reply.end())
  } else {
    // Without a length the client needs the end of the answer, and may wait for it before it sends the rest.
    const { socket } = request
    answeredEarly.add(socket)
    request.once('end', () => answeredEarly.delete(socket))
    reply.end(last)
  }
  request.resume()
}

/** The answer was sent before the request's body: bytes that arrive belong to a request that has its answer. */
export function isAnsweredEarly(socket: Socket): boolean {
  return answeredEarly.has(socket)
}

function hasBody(headers: GatewayReply['req']['headers']): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = headers
  return coding !== undefined || (length !== undefined && length !== '0')
}
