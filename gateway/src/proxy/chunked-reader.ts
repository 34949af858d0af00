import { MalformedResponse } from './read-response-head.ts'

const NEWLINE = 10
const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+"
const EXTENSION = `;${TOKEN}(?:=(?:${TOKEN}|"[\\t\\x20!\\x23-\\x5b\\x5d-\\x7e]*"))?`
const SIZE = new RegExp(`^([0-9a-fA-F]{1,8})[\\t ]*(?:${EXTENSION})*\\r\\n$`)
const TRAILER = new RegExp(`^${TOKEN}:[\\t\\x20-\\x7e\\x80-\\xff]*\\r\\n$`)
const LINE_BYTES_MAX = 4_096
const TRAILER_LINES_MAX = 64
const LINE_END = '\r\n'

/** Decodes a chunked body from blocks of any size. Trailers are read and discarded. */
export class ChunkedReader {
  isDone = false
  private expects: 'size' | 'bytes' | 'end of chunk' | 'trailer' = 'size'
  private bytesLeft = 0
  private line = ''
  private trailers = 0

  /** Reads `block` from `from` up to `to`, calls `onBytes` with the body's parts, and returns where it stopped. */
  read(block: Buffer, from: number, to: number, onBytes: (from: number, to: number) => void): number {
    let at = from
    while (at < to && !this.isDone) {
      if (this.expects === 'bytes') {
        const end = Math.min(to, at + this.bytesLeft)
        onBytes(at, end)
        this.bytesLeft -= end - at
        if (this.bytesLeft === 0) this.expects = 'end of chunk'
        at = end
      } else at = this.readLine(block, at, to)
    }
    return at
  }

  private readLine(block: Buffer, from: number, to: number): number {
    const newline = block.indexOf(NEWLINE, from)
    const end = newline === -1 || newline >= to ? to : newline + 1
    this.line += block.toString('latin1', from, end)
    if (this.line.length > LINE_BYTES_MAX) throw new MalformedResponse('a line between chunks is too long')
    if (newline !== -1 && newline < to) {
      const { line } = this
      this.line = ''
      this.take(line)
    }
    return end
  }

  private take(line: string): void {
    if (this.expects === 'size') {
      const digits = SIZE.exec(line)?.[1]
      if (digits === undefined) throw new MalformedResponse('the size of a chunk cannot be read')
      this.bytesLeft = Number.parseInt(digits, 16)
      this.expects = this.bytesLeft === 0 ? 'trailer' : 'bytes'
    } else if (this.expects === 'end of chunk') {
      if (line !== LINE_END) throw new MalformedResponse('a chunk is longer than its size')
      this.expects = 'size'
    } else {
      this.trailers += 1
      this.isDone = line === LINE_END
      if (this.trailers > TRAILER_LINES_MAX || (!this.isDone && !TRAILER.test(line)))
        throw new MalformedResponse('a trailer is malformed')
    }
  }
}
