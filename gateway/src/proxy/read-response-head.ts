/** A service's answer that is not valid HTTP/1.1: none of it is used. */
export class MalformedResponse extends Error {
  readonly code = 'UPSTREAM_MALFORMED'
}

export type ResponseHead = {
  status: number
  /** Names in lower case, and values, in turn. */
  headers: string[]
  /** The body's Content-Length, if any. */
  length: number | undefined
  isChunked: boolean
  /** The connection may be used again. */
  isReusable: boolean
}

/** The whole head: folded lines, blanks before a colon and control characters do not match. */
const WHOLE =
  /^HTTP\/1\.[01] [1-9]\d\d(?: [\t\x20-\x7e\x80-\xff]*)?\r\n(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*\r\n)*$/
const LENGTH = /^\d{1,15}$/
const STATUS_AT = 9
const BLANKS_AROUND = /^[\t ]+|[\t ]+$/g

/** Reads status line and headers, each with its line end. Throws what is malformed. */
export function readResponseHead(text: string): ResponseHead {
  if (!WHOLE.test(text)) throw new MalformedResponse('the status line or a header is malformed')
  const status = Number(text.slice(STATUS_AT, STATUS_AT + 3))
  const head: ResponseHead = {
    status,
    headers: [],
    length: undefined,
    isChunked: false,
    isReusable: text.charCodeAt(STATUS_AT - 2) === 49,
  }
  for (let from = text.indexOf('\n') + 1; from < text.length;) {
    const colon = text.indexOf(':', from)
    const end = text.indexOf('\r', colon)
    const name = text.slice(from, colon).toLowerCase()
    const value = trimmed(text, colon + 1, end)
    if (isFraming(name)) frame(head, name, value)
    head.headers.push(name, value)
    from = end + 2
  }
  if (head.isChunked && head.length !== undefined) throw new MalformedResponse('the response has a length and chunks')
  return head
}

function isFraming(name: string): boolean {
  return name === 'content-length' || name === 'transfer-encoding' || name === 'connection'
}

function frame(head: ResponseHead, name: string, value: string): void {
  if (name === 'content-length') {
    if (head.length !== undefined || !LENGTH.test(value)) throw new MalformedResponse('the length cannot be read')
    head.length = Number(value)
  } else if (name === 'transfer-encoding') {
    if (head.isChunked || value.toLowerCase() !== 'chunked') throw new MalformedResponse('the coding is not known')
    head.isChunked = true
  } else if (value !== 'keep-alive') {
    const options = value.toLowerCase().split(',')
    if (options.some((option) => option.trim() === 'close')) head.isReusable = false
  }
}

/** Most servers write one blank before the value. */
function trimmed(text: string, from: number, end: number): string {
  const start = text.charCodeAt(from) === 32 ? from + 1 : from
  const value = text.slice(start, end)
  const isPlain = value.charCodeAt(0) > 32 && value.charCodeAt(value.length - 1) > 32
  return isPlain ? value : value.replaceAll(BLANKS_AROUND, '')
}
