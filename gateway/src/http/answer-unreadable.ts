import type { Socket } from 'node:net'
import type { ErrorCode } from '@tapeline/contracts/error-code'
import { problemOf } from '@tapeline/service/problem'
import type { HeaderList } from './browser-policy.ts'
import { isAnsweredEarly } from './end-reply.ts'
import { PROBLEM_HEADERS } from '../problems/problem.ts'
import { GatewayResponse } from './request-context.ts'

export const HEADER_BYTES_MAX = 16_384

type RawAnswer = readonly [statusLine: string, code: ErrorCode, text: string]
type UnreadableError = Error & { code?: string; reason?: string; rawPacket?: unknown }

const addressTooLong: RawAnswer = [
  '414 URI Too Long',
  'request.address_too_long',
  'The address is too long: send a body instead.',
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

/**
 * Answers bytes that are not an HTTP request and closes the connection. While an answer is pending, nothing is written:
 * it would end up inside that answer or replace it.
 */
export function answerUnreadable(error: UnreadableError, socket: Socket, securityHeaders: HeaderList): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return
  const reply = pendingReply(socket)
  const isTaken = reply === undefined ? isAnsweredEarly(socket) : reply.headersSent || reply.req.complete
  if (isTaken) socket.destroySoon()
  else socket.end(rawProblem(answerTo(error), securityHeaders))
}

/** Node keeps the answer that is being written in `_httpMessage`, and decides by it in its own default handler. */
function pendingReply(socket: Socket): GatewayResponse | undefined {
  return '_httpMessage' in socket && socket._httpMessage instanceof GatewayResponse ? socket._httpMessage : undefined
}

function answerTo({ code, reason, rawPacket }: UnreadableError): RawAnswer {
  if (code === 'HPE_HEADER_OVERFLOW') return isOfAddress(rawPacket) ? addressTooLong : headersTooLarge
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return timedOut
  // The same code is also used for Content-Length with chunked coding, which is an ambiguous request.
  const isCoding = code === 'HPE_INVALID_TRANSFER_ENCODING' && reason?.includes('Content-Length') !== true
  return isCoding ? unknownCoding : unreadable
}

/** The parser reports only that the head is too long: the address is the cause when its line alone would be too long. */
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
