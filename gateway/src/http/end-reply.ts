import type { Socket } from 'node:net'
import type { GatewayResponse } from './request-context.ts'

const answeredEarly = new WeakSet<Socket>()
/** Connections to close after an ambiguous request: Node still parses later ones; the end of its body is uncertain. */
export const untrustedSockets = new WeakSet<Socket>()
/** Long enough for a client that is still sending to read the problem; RFC 9112, section 9.6. */
const UNTRUSTED_LINGER_MS = 1_000

/**
 * Ends an answer, also if the request's body has not arrived yet. Closing a connection with unread bytes resets it, and
 * the client may lose the answer, so the body is read and discarded first. The wait is bounded by the server's request
 * timeout, or by UNTRUSTED_LINGER_MS if the end of the body is uncertain.
 */
export function endReply(reply: GatewayResponse, headers: readonly string[], last: Buffer | string | undefined): void {
  const { req: request } = reply
  if (request.complete || request.destroyed || !hasBody(request.headers)) {
    reply.end(last)
    return
  }
  if (headers.includes('content-length')) {
    if (last === undefined) reply.flushHeaders()
    else reply.write(last)
    closeAfterBody(reply)
  } else {
    // Without a content length the client needs the end of the answer, and may wait for it before it sends the rest.
    const { socket } = request
    answeredEarly.add(socket)
    request.once('end', () => answeredEarly.delete(socket))
    reply.end(last)
  }
  request.resume()
}

function closeAfterBody(reply: GatewayResponse): void {
  const { req: request } = reply
  request.once('end', () => reply.end())
  if (untrustedSockets.has(request.socket)) setTimeout(() => reply.end(), UNTRUSTED_LINGER_MS).unref()
}

/** True if the answer was sent before the whole body arrived: further bytes belong to the answered request. */
export function isAnsweredEarly(socket: Socket): boolean {
  return answeredEarly.has(socket)
}

function hasBody(headers: GatewayResponse['req']['headers']): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = headers
  return coding !== undefined || (length !== undefined && length !== '0')
}
