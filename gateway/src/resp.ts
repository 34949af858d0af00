/** What Redis refused: its code comes first, `NOSCRIPT …`, `LOADING …`. */
export class RedisError extends Error {}

/** Nothing after it can be believed. */
export class MalformedReply extends Error {}

export type Reply = number | string | null | RedisError | Reply[]

/** Commands as RESP2 takes them (redis.io, "Redis serialization protocol specification"). */
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
const LINE_END_BYTES = 2

/** Replies out of what arrives, however it was cut. Throws `MalformedReply` for what is no RESP2. */
export class RespReader {
  private block: Buffer = Buffer.alloc(0)
  private end = 0
  private at = 0
  private isWhole = true
  private rest: Buffer | undefined
  private readonly onReply: (reply: Reply) => void

  constructor(onReply: (reply: Reply) => void) {
    this.onReply = onReply
  }

  /** The first bytes of a block, which may be used again afterwards: what is kept of it is copied. */
  read(block: Buffer, bytes: number): void {
    this.block = this.rest === undefined ? block : Buffer.concat([this.rest, block.subarray(0, bytes)])
    this.end = this.rest === undefined ? bytes : this.block.length
    this.rest = undefined
    this.at = 0
    while (this.at < this.end) {
      const from = this.at
      this.isWhole = true
      const reply = this.reply()
      if (!this.isWhole) {
        this.rest = Buffer.from(this.block.subarray(from, this.end))
        return
      }
      this.onReply(reply)
    }
  }

  /** Means nothing when `isWhole` is false afterwards. */
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
    let value = 0
    while (at < end && block[at] !== RETURN) {
      const digit = (block[at] ?? 0) - ZERO
      if (digit < 0 || digit > 9) throw new MalformedReply('a number in a reply of Redis cannot be read')
      value = value * 10 + digit
      at += 1
    }
    this.at = at + LINE_END_BYTES
    if (this.at > end) this.cut()
    return isNegative ? -value : value
  }

  private list(): Reply[] | null {
    const length = this.integer()
    if (length < 0) return null
    const items: Reply[] = []
    for (let n = 0; n < length && this.isWhole; n += 1) items.push(this.reply())
    return items
  }

  private bulk(): string | null {
    const length = this.integer()
    if (length < 0) return null
    const from = this.at
    this.at += length + LINE_END_BYTES
    if (this.at > this.end) return this.cut()
    return this.block.toString('utf8', from, from + length)
  }

  private line(): string {
    const from = this.at
    const to = this.block.indexOf('\r\n', from)
    if (to === -1 || to + LINE_END_BYTES > this.end) return this.cut() ?? ''
    this.at = to + LINE_END_BYTES
    return this.block.toString('utf8', from, to)
  }

  private cut(): null {
    this.isWhole = false
    return null
  }
}
