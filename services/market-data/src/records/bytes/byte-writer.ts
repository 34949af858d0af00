const ZERO = 48
const QUOTE = 34
const BACKSLASH = 92
const SPACE = 32
const DELETE = 127
/** Shorter pieces are copied faster byte by byte. */
const LONG_PIECE = 24
const TWO_32 = 4_294_967_296
/** Below this, an int64 is a safe integer: 2^21 in its upper half. */
const SAFE_HIGH = 2_097_152
const EIGHT_DIGITS = 100_000_000
const NANOSECONDS = 1_000_000_000

/** Text as bytes in one growing buffer. Callers reserve room before they write. */
export class ByteWriter {
  private bytes: Buffer
  private end = 0
  private readonly room: number

  /** `room`: bytes that are always free behind a text. */
  constructor(capacity: number, room: number) {
    this.bytes = Buffer.allocUnsafe(capacity + room)
    this.room = room
  }

  /** A copy of everything written so far. */
  written(): Buffer {
    return Buffer.from(this.bytes.subarray(0, this.end))
  }

  /** Everything written so far, until the next write. */
  view(): Buffer {
    return this.bytes.subarray(0, this.end)
  }

  /** Starts again in the same buffer. */
  clear(): void {
    this.end = 0
  }

  capacity(): number {
    return this.bytes.length
  }

  reserve(count: number): void {
    if (this.end + count <= this.bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(2 * this.bytes.length, this.end + count))
    this.bytes.copy(larger, 0, 0, this.end)
    this.bytes = larger
  }

  byte(code: number): void {
    this.bytes[this.end] = code
    this.end += 1
  }

  piece(piece: Uint8Array): void {
    const { bytes, end } = this
    if (piece.length >= LONG_PIECE) bytes.set(piece, end)
    else for (let at = 0; at < piece.length; at += 1) bytes[end + at] = piece[at] ?? 0
    this.end = end + piece.length
  }

  /** Writes text of any content and length; grows the buffer so that the reserved room stays free. */
  text(text: string): void {
    this.reserve(3 * text.length + this.room)
    this.end += this.bytes.write(text, this.end)
  }

  /** Writes text that JSON does not escape; returns false and writes nothing if it has any other character. */
  plainText(text: string): boolean {
    const { bytes, end } = this
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (code < SPACE || code >= DELETE || code === QUOTE || code === BACKSLASH) return false
      bytes[end + at] = code
    }
    this.end = end + text.length
    return true
  }

  /** Decimal digits of a safe integer that is not negative. */
  digits(value: number): void {
    if (value < EIGHT_DIGITS) {
      this.padded(value, digitsIn(value))
      return
    }
    const upper = Math.floor(value / EIGHT_DIGITS)
    this.digits(upper)
    this.padded(value - upper * EIGHT_DIGITS, 8)
  }

  /** `count` digits with leading zeros; the value is below 2^31. */
  padded(value: number, count: number): void {
    const { bytes, end } = this
    let remaining = value | 0
    for (let at = end + count - 1; at >= end; at -= 1) {
      const tenth = (remaining / 10) | 0
      bytes[at] = ZERO + remaining - 10 * tenth
      remaining = tenth
    }
    this.end = end + count
  }

  removeZeros(): void {
    while (this.bytes[this.end - 1] === ZERO) this.end -= 1
  }
}

function digitsIn(value: number): number {
  let count = 1
  for (let bound = 10; value >= bound; bound *= 10) count += 1
  return count
}

/** The int64 values of a column as 32-bit halves, without allocating a BigInt. */
export type Halves = Uint32Array

/** The system is little-endian, as Parquet is. */
export function halvesOf({ buffer, byteOffset, length }: BigInt64Array): Halves {
  return new Uint32Array(buffer, byteOffset, 2 * length)
}

/** The value of a row; NaN when it is negative or not a safe integer. */
export function safeInteger(halves: Halves, row: number): number {
  const high = halves[2 * row + 1] ?? 0
  return high < SAFE_HIGH ? high * TWO_32 + (halves[2 * row] ?? 0) : NaN
}

/** Whole seconds of nanoseconds since 1970. */
export function secondsIn(halves: Halves, row: number): number {
  const high = halves[2 * row + 1] ?? 0
  const low = halves[2 * row] ?? 0
  const seconds = Math.floor((high * TWO_32 + low) / NANOSECONDS)
  // The division is off by one where rounding crossed a second: the remainder, exact modulo 2^32, shows it.
  const nanoseconds = nanosecondsBeyond(halves, row, seconds)
  return nanoseconds < 0 ? seconds - 1 : nanoseconds >= NANOSECONDS ? seconds + 1 : seconds
}

/** Nanoseconds of a row beyond those seconds. */
export function nanosecondsBeyond(halves: Halves, row: number, seconds: number): number {
  const low = halves[2 * row] ?? 0
  const nanoseconds = (low - Math.imul(seconds | 0, NANOSECONDS)) >>> 0
  return nanoseconds >= 3_000_000_000 ? nanoseconds - TWO_32 : nanoseconds
}
