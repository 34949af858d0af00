const HEAD_END = '\r\n\r\n'
const LINE_END = '\r\n'
const STATUS_START = 9
const STATUS_LENGTH = 3

export type WholeResponse = { status: number; length: number; isClosing: boolean }

/** The first response in `bytes`, if it is complete; with Content-Length or chunked. */
export function readResponse(bytes: Buffer): WholeResponse | undefined {
  const headEnd = bytes.indexOf(HEAD_END)
  if (headEnd === -1) return undefined
  const head = bytes.toString('latin1', 0, headEnd).toLowerCase()
  const bodyStart = headEnd + HEAD_END.length
  const length = head.includes('\r\ntransfer-encoding: chunked')
    ? chunkedEnd(bytes, bodyStart)
    : bodyStart + lengthOf(head)
  if (length === undefined || length > bytes.length) return undefined
  const status = Number(head.slice(STATUS_START, STATUS_START + STATUS_LENGTH))
  return { status, length, isClosing: head.includes('\r\nconnection: close') }
}

function lengthOf(head: string): number {
  return Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? '0')
}

function chunkedEnd(bytes: Buffer, start: number): number | undefined {
  let at = start
  for (;;) {
    const lineEnd = bytes.indexOf(LINE_END, at)
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    if (Number.isNaN(size)) throw new Error('a chunk without a size')
    at = lineEnd + LINE_END.length + size + LINE_END.length
    if (at > bytes.length) return undefined
    if (size === 0) return at
  }
}
