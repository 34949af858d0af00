/** An error reply of Redis; its message begins with the code: `NOSCRIPT …`, `LOADING …`. */
export class RedisError extends Error {}

/** Bytes that are not RESP2: everything after them on the connection is invalid. */
export class MalformedReply extends Error {}

export type Reply = number | string | null | RedisError | Reply[]

/** Commands in RESP2 (redis.io, "Redis serialization protocol specification"). */
export function encodeCommand(words: readonly string[]): string {
  let text = `*${words.length}\r\n`
  for (const word of words) text += `$${Buffer.byteLength(word)}\r\n${word}\r\n`
  return text
}

const INTEGER = 58
const TEXT = 43
const ERROR = 45
const BULK = 36
const LIST = 42
const MINUS = 45
const ZERO = 48
const RETURN = 13
const NEWLINE = 10
const LINE_END_BYTES = 2
const DIGITS_MAX = 16
/** Far above what the scripts reply, and below what would exhaust memory or the stack. */
const DEPTH_MAX = 16
const ITEMS_MAX = 1_048_576
const BULK_BYTES_MAX = 67_108_864
const LINE_BYTES_MAX = 65_536

/** Parses replies from blocks of any size. @throws MalformedReply if bytes are not RESP2 */
export class RespReader {
  private block: Buffer = Buffer.alloc(0)
  private end = 0
  private at = 0
  private isWhole = true
  private depth = 0
  private partial: Buffer | undefined
  private readonly onReply: (reply: Reply) => void

  constructor(onReply: (reply: Reply) => void) {
    this.onReply = onReply
  }

  /** Reads the first bytes of a block; the caller may reuse it afterwards, because an incomplete reply is copied. */
  read(block: Buffer, bytes: number): void {
    this.block = this.partial === undefined ? block : Buffer.concat([this.partial, block.subarray(0, bytes)])
    this.end = this.partial === undefined ? bytes : this.block.length
    this.partial = undefined
    this.at = 0
    while (this.at < this.end) {
      const from = this.at
      this.isWhole = true
      this.depth = 0
      const reply = this.reply()
      if (!this.isWhole) {
        this.partial = Buffer.from(this.block.subarray(from, this.end))
        return
      }
      this.onReply(reply)
    }
  }

  /** Only valid when `isWhole` is true afterwards. */
  private reply(): Reply {
    if (this.at >= this.end) return this.cut()
    const kind = this.block[this.at]
    this.at += 1
    if (kind === INTEGER) return this.integer()
    if (kind === LIST) return this.list()
    if (kind === BULK) return this.bulk()
    if (kind === TEXT) return this.line()
    if (kind === ERROR) return new RedisError(this.line())
    throw new MalformedReply(`a reply of Redis begins with byte ${kind}`)
  }

  private integer(): number {
    const { block, end } = this
    let { at } = this
    const isNegative = block[at] === MINUS
    if (isNegative) at += 1
    const from = at
    let value = 0
    while (at < end && block[at] !== RETURN) {
      const digit = (block[at] ?? 0) - ZERO
      if (digit < 0 || digit > 9) throw unreadableNumber()
      value = value * 10 + digit
      at += 1
    }
    this.numberEnd(from, at)
    return isNegative ? -value : value
  }

  private numberEnd(from: number, to: number): void {
    if ((to === from && to < this.end) || to - from > DIGITS_MAX) throw unreadableNumber()
    this.lineEnd(to)
  }

  private list(): Reply[] | null {
    const length = this.length(ITEMS_MAX)
    if (length < 0) return null
    this.depth += 1
    if (this.depth > DEPTH_MAX) throw new MalformedReply('a reply of Redis is nested too deeply')
    const items: Reply[] = []
    for (let n = 0; n < length && this.isWhole; n += 1) items.push(this.reply())
    this.depth -= 1
    return items
  }

  private bulk(): string | null {
    const length = this.length(BULK_BYTES_MAX)
    if (length < 0 || !this.isWhole) return null
    const from = this.at
    this.lineEnd(from + length)
    return this.isWhole ? this.block.toString('utf8', from, from + length) : null
  }

  /** -1 is the only negative length: null. */
  private length(max: number): number {
    const length = this.integer()
    if (this.isWhole && (length < -1 || length > max))
      throw new MalformedReply('a length in a reply of Redis is out of range')
    return length
  }

  private line(): string {
    const { block, end, at: from } = this
    const to = block.indexOf(RETURN, from)
    const isCut = to === -1 || to >= end
    if ((isCut ? end : to) - from > LINE_BYTES_MAX) throw new MalformedReply('a line in a reply of Redis is too long')
    if (isCut) return this.cut() ?? ''
    this.lineEnd(to)
    const text = block.toString('utf8', from, to)
    if (text.includes('\n')) throw new MalformedReply('a line of Redis ends without a carriage return')
    return text
  }

  /** Reads CR LF at `at`, as far as it has arrived. */
  private lineEnd(at: number): void {
    const { block, end } = this
    const isBroken = (at < end && block[at] !== RETURN) || (at + 1 < end && block[at + 1] !== NEWLINE)
    if (isBroken) throw new MalformedReply('a reply of Redis does not end with its line')
    this.at = at + LINE_END_BYTES
    if (this.at > end) this.cut()
  }

  private cut(): null {
    this.isWhole = false
    return null
  }
}

function unreadableNumber(): MalformedReply {
  return new MalformedReply('a number in a reply of Redis cannot be read')
}
