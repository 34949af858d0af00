import type { MessageBoundary } from './message-boundary.ts'

const OPCODE = 0x0f
const FINAL = 0x80
const MASKED = 0x80
const LENGTH = 0x7f
const LENGTH_16 = 126
const LENGTH_64 = 127
const FIRST_CONTROL = 8
const CLOSE = 8
const HEADER_BYTES_MAX = 14

/** WebSocket frames as a server sends them (RFC 6455, section 5.2). Payloads are skipped, never read. */
export class FrameBoundary implements MessageBoundary {
  messages = 0
  isEnded = false
  private readonly header = Buffer.alloc(HEADER_BYTES_MAX)
  private headerBytes = 0
  private payloadLeft = 0
  /** A data frame without FIN was sent: only control frames may stand before the rest of its message. */
  private isFragmented = false

  get isBetween(): boolean {
    return this.headerBytes === 0 && this.payloadLeft === 0 && !this.isFragmented
  }

  take(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) at = this.takeFrame(chunk, at)
  }

  takeToBoundary(chunk: Buffer): number {
    for (let at = 0; at < chunk.length;) {
      at = this.takeFrame(chunk, at)
      if (this.isBetween) return at
    }
    return -1
  }

  /** Consumes the chunk's part of one frame; returns the offset of the rest. */
  private takeFrame(chunk: Buffer, from: number): number {
    let at = from
    while (this.payloadLeft === 0 && at < chunk.length) {
      this.header[this.headerBytes] = chunk[at] ?? 0
      this.headerBytes += 1
      at += 1
      if (this.headerBytes === headerLength(this.header, this.headerBytes)) {
        this.begin()
        if (this.payloadLeft === 0) return at
      }
    }
    const taken = Math.min(this.payloadLeft, chunk.length - at)
    this.payloadLeft -= taken
    return at + taken
  }

  private begin(): void {
    const { header } = this
    const [first, second] = [header[0] ?? 0, header[1] ?? 0]
    this.headerBytes = 0
    const length = second & LENGTH
    if (length === LENGTH_16) this.payloadLeft = header.readUInt16BE(2)
    else this.payloadLeft = length === LENGTH_64 ? Number(header.readBigUInt64BE(2)) : length
    const opcode = first & OPCODE
    if (opcode === CLOSE) this.isEnded = true
    if (opcode >= FIRST_CONTROL) return
    this.isFragmented = (first & FINAL) === 0
    if (!this.isFragmented) this.messages += 1
  }
}

/** Length of the header in bytes; 2 until its first two bytes were received. */
function headerLength(header: Buffer, received: number): number {
  if (received < 2) return 2
  const second = header[1] ?? 0
  const length = second & LENGTH
  return 2 + (length === LENGTH_16 ? 2 : length === LENGTH_64 ? 8 : 0) + ((second & MASKED) === 0 ? 0 : 4)
}
