import { crc32 } from 'node:zlib'
import type { Message } from '@tapeline/events/producer/record-batch'

/** One write appends event lines, then one commit line. Only lines before a commit line are shipped. */
export const BATCH_BYTES_MAX = 262_144
/** Space, eight hexadecimal digits, newline. */
export const CHECKSUM_BYTES = 10
/** `=`, the length of the batch before it, and the checksum of both. */
export const COMMIT_BYTES = 19

/** Complete lines of a block; those up to `committed` may be shipped. */
export type JournalLines = { messages: Message[]; damaged: number; committed: Committed }
type Committed = { messages: number; damaged: number; bytes: number }

const NEWLINE = 10
const SPACE = 32
const EQUALS = 61
const CLOSING_BRACE = 125
const HEX_DIGITS = 8
/** One flipped bit in the last commit line of a segment must not cost the batch before it. */
const COMMIT_DIFFERENCES_MAX = 1

export function checksumOf(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(HEX_DIGITS, '0')
}

export function commitLine(batchBytes: number): string {
  const length = `=${batchBytes.toString(16).padStart(HEX_DIGITS, '0')}`
  return `${length} ${checksumOf(Buffer.from(length))}\n`
}

/** A damaged line is sent unchanged: the consumer cannot parse it and dead-letters it. */
export function readLines(block: Buffer, filled: number): JournalLines {
  const messages: Message[] = []
  const committed = { messages: 0, damaged: 0, bytes: 0 }
  let damaged = 0
  for (let from = 0; from < filled;) {
    const end = block.indexOf(NEWLINE, from)
    if (end === -1 || end >= filled) break
    const line = readLine(block, from, end)
    if (line.message !== undefined) messages.push(line.message)
    if (line.kind === 'damaged') damaged += 1
    from = end + 1
    if (line.kind === 'commit' || line.kind === 'unchecked') {
      committed.messages = messages.length
      committed.damaged = damaged
      committed.bytes = from
    }
  }
  return { messages, damaged, committed }
}

/** True when the rest of a finished segment ends with a commit line of exactly its length. */
export function endsWithCommit(block: Buffer, filled: number): boolean {
  const at = filled - COMMIT_BYTES
  if (at <= 0) return false
  const expected = Buffer.from(commitLine(at))
  let differences = 0
  for (const [n, byte] of expected.entries()) if (block[at + n] !== byte) differences += 1
  return differences <= COMMIT_DIFFERENCES_MAX
}

type Line = { kind: 'commit' | 'checked' | 'unchecked' | 'damaged'; message: Message | undefined }

function readLine(block: Buffer, from: number, end: number): Line {
  const textEnd = end - CHECKSUM_BYTES + 1
  if (hasChecksum(block, from, textEnd)) {
    if (block[from] === EQUALS) return { kind: 'commit', message: undefined }
    const message = messageOf(block, from, textEnd)
    if (message !== undefined) return { kind: 'checked', message }
  }
  // Written before lines had checksums.
  const unchecked = block[end - 1] === CLOSING_BRACE ? messageOf(block, from, end) : undefined
  if (unchecked !== undefined) return { kind: 'unchecked', message: unchecked }
  // Too short for an event: a damaged commit line.
  const isEvent = end - from >= COMMIT_BYTES
  return { kind: 'damaged', message: isEvent ? { key: from, keyEnd: from + 1, value: from, end } : undefined }
}

function hasChecksum(block: Buffer, from: number, textEnd: number): boolean {
  if (textEnd <= from || block[textEnd] !== SPACE) return false
  const checksum = block.toString('latin1', textEnd + 1, textEnd + 1 + HEX_DIGITS)
  return checksum === checksumOf(block.subarray(from, textEnd))
}

/** `<key> <value>`. */
function messageOf(block: Buffer, from: number, end: number): Message | undefined {
  const keyEnd = block.indexOf(SPACE, from)
  return keyEnd > from && keyEnd < end ? { key: from, keyEnd, value: keyEnd + 1, end } : undefined
}
