import type { Socket } from 'node:net'
import type { ErrorCode } from '@tapeline/contracts/error-code'
import { problemOf } from '@tapeline/service/problem'
import type { HeaderList } from './browser-policy.ts'
import { isAnsweredEarly, untrustedSockets } from './end-reply.ts'
import { closing, newProblem, PROBLEM_HEADERS } from '../problems/problem.ts'
import { type GatewayResponse, pendingReply, type RequestContext } from './request-context.ts'

export const HEADER_BYTES_MAX = 16_384

type RawAnswer = readonly [statusLine: string, code: ErrorCode, text: string]
type UnreadableError = Error & { code?: string; reason?: string; rawPacket?: unknown }

const addressTooLong: RawAnswer = [
  '414 URI Too Long',
  'request.address_too_long',
  'The URL is longer than 8,192 characters. Shorten it, or send the parameters in the body.',
]
const headersTooLarge: RawAnswer = [
  '431 Request Header Fields Too Large',
  'request.too_large',
  'The request headers are too large.',
]
const timedOut: RawAnswer = ['408 Request Timeout', 'request.timed_out', 'The request was not sent in time.']
const unknownCoding: RawAnswer = [
  '501 Not Implemented',
  'request.transfer_encoding_unsupported',
  'Send the body with Content-Length, or with Transfer-Encoding: chunked and no other coding.',
]
const unreadable: RawAnswer = ['400 Bad Request', 'request.invalid', 'The request cannot be read.']

/** Connections whose request was answered here; what follows is discarded until they close. */
const answered = new WeakSet<Socket>()

/**
 * Answers bytes that are not an HTTP request and closes the connection. While an answer is pending, nothing is written:
 * it would end up inside that answer or replace it. A request whose body cannot be read gets a problem like every other.
 */
export function answerUnreadable(error: UnreadableError, socket: Socket, securityHeaders: HeaderList): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable || answered.has(socket)) return
  const reply = pendingReply(socket)
  const context = reply?.req.context
  if (isTaken(reply, socket)) socket.destroySoon()
  else if (context !== undefined && isDecided(context)) endRequest(context, answerTo(error))
  else socket.end(rawProblem(answerTo(error), securityHeaders))
}

/** The bytes come after a request that is complete or has its answer. */
function isTaken(reply: GatewayResponse | undefined, socket: Socket): boolean {
  return reply === undefined ? isAnsweredEarly(socket) : reply.headersSent || reply.req.complete
}

/** A request that the limiter has counted has no usage event before its decision. */
function isDecided({ isCounted, decision }: RequestContext): boolean {
  return !isCounted || decision !== undefined
}

function endRequest({ request, response }: RequestContext, [, code, text]: RawAnswer): void {
  const { upstreamCall, reply } = response
  answered.add(request.socket)
  untrustedSockets.add(request.socket)
  // Also for an answer that is complete and not written yet.
  reply.shouldKeepAlive = false
  response.sendProblem(closing(newProblem(code, text)))
  upstreamCall?.stop()
}

function answerTo({ code, reason, rawPacket }: UnreadableError): RawAnswer {
  if (code === 'HPE_HEADER_OVERFLOW') return isOfAddress(rawPacket) ? addressTooLong : headersTooLarge
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return timedOut
  // The same code is also used for Content-Length with chunked coding, which is an ambiguous request.
  const isCoding = code === 'HPE_INVALID_TRANSFER_ENCODING' && reason?.includes('Content-Length') !== true
  return isCoding ? unknownCoding : unreadable
}

/** The parser reports only that the head is too long: the URL is the cause when its line alone would be too long. */
function isOfAddress(rawPacket: unknown): boolean {
  if (!Buffer.isBuffer(rawPacket)) return false
  const lineEnd = rawPacket.indexOf(10)
  return /^[A-Z]+ /.test(rawPacket.toString('latin1', 0, 10)) && (lineEnd === -1 || lineEnd > HEADER_BYTES_MAX / 2)
}

/** A whole answer in bytes. Its status may differ from the one that its code has elsewhere. */
function rawProblem([statusLine, code, text]: RawAnswer, securityHeaders: HeaderList): string {
  const status = Number.parseInt(statusLine, 10)
  const failure = { name: 'Problem', message: text, code, status, errors: undefined, headers: {} }
  const body = JSON.stringify(problemOf(failure, { requestId: undefined, path: undefined }))
  const head = [`HTTP/1.1 ${statusLine}`, `content-length: ${Buffer.byteLength(body)}`]
  const headers = [...PROBLEM_HEADERS, ...securityHeaders]
  for (let n = 0; n + 1 < headers.length; n += 2) head.push(`${headers[n]}: ${headers[n + 1]}`)
  return `${head.join('\r\n')}\r\nconnection: close\r\n\r\n${body}`
}
