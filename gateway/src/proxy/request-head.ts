import type { UpstreamRequest } from './upstream-request.ts'

const UNSAFE_PATH = /[^\x21-\x7e\x80-\xff]/
const UNSAFE_VALUE = /[\0\r\n]/
const EXPECTS_BODY = new Set(['POST', 'PUT', 'PATCH'])

/** undefined when a line break would make one request into two. */
export function requestHead(request: UpstreamRequest, host: string): string | undefined {
  const { path, method, headers, onSwitched } = request
  if (UNSAFE_PATH.test(path)) return undefined
  const connection = onSwitched === undefined ? 'keep-alive' : 'upgrade\r\nupgrade: websocket'
  let head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: ${connection}\r\n`
  for (let n = 0; n + 1 < headers.length; n += 2) {
    const value = headers[n + 1] ?? ''
    if (UNSAFE_VALUE.test(value)) return undefined
    head += `${headers[n]}: ${value}\r\n`
  }
  return `${head}${framingOf(request)}\r\n`
}

function framingOf({ method, body, contentLength }: UpstreamRequest): string {
  if (body === null) return EXPECTS_BODY.has(method) ? 'content-length: 0\r\n' : ''
  const length = Buffer.isBuffer(body) ? body.length : contentLength
  return length === undefined ? 'transfer-encoding: chunked\r\n' : `content-length: ${length}\r\n`
}
