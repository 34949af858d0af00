import { closeSync, fstatSync, openSync, readdirSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Message } from '@tapeline/events/record-batch'
import {
  formatPlace,
  isMissing,
  type Place,
  PLACE_FILE,
  readPlace,
  segmentName,
  segmentNumber,
} from './journal-files.ts'

/** Complete lines in order, which lie in the block until the next chunk is read, and the place reached when Kafka has them. */
export type Chunk = { block: Buffer; messages: Message[]; bytes: number; after: Place }

const CHUNK_BYTES = 524_288
const NEWLINE = 10
const SPACE = 32

/** Reads the segments of one journal folder from the place that was acknowledged last, also after a kill. */
export class JournalReader {
  private place: Place
  /** Bytes of segments that were shipped whole before this start. */
  private removedBytes = 0
  private readonly placeFd: number
  private segmentFd: number | undefined
  private readonly buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  private readonly dir: string
  /** A dead process's folder: its newest segment is finished too. */
  private readonly isAdopted: boolean

  constructor(dir: string, isAdopted: boolean) {
    this.dir = dir
    this.isAdopted = isAdopted
    this.placeFd = openSync(join(dir, PLACE_FILE), 'a+', 0o600)
    closeSync(this.placeFd)
    this.placeFd = openSync(join(dir, PLACE_FILE), 'r+')
    this.place = this.firstPlace()
  }

  /** Bytes that were acknowledged in segments that still existed at this start. */
  acknowledgedAtStart(): number {
    return this.removedBytes + this.place.offset
  }

  /** The next lines; undefined when there is nothing new. */
  next(): Chunk | undefined {
    for (;;) {
      this.segmentFd ??= openIfThere(join(this.dir, segmentName(this.place.segment)))
      if (this.segmentFd !== undefined) {
        const chunk = this.read(this.segmentFd)
        if (chunk !== undefined) return chunk
      }
      const following = this.segments().find((number) => number > this.place.segment)
      if (following === undefined) return undefined
      // Between the last read and now a line may have been added: only a segment with a successor is finished.
      const late = this.segmentFd === undefined ? undefined : this.read(this.segmentFd)
      if (late !== undefined) return late
      this.leaveSegment({ segment: following, offset: 0 })
    }
  }

  acknowledge({ after }: Chunk): void {
    this.place = after
    this.savePlace()
  }

  /** What a finished folder leaves behind is removed. */
  finish(): void {
    if (this.isAdopted) {
      for (const number of this.segments()) rmSync(join(this.dir, segmentName(number)), { force: true })
    }
    if (this.segmentFd !== undefined) closeSync(this.segmentFd)
    closeSync(this.placeFd)
  }

  private read(fd: number): Chunk | undefined {
    const { segment, offset } = this.place
    const filled = readSync(fd, this.buffer, 0, CHUNK_BYTES, offset)
    const end = this.buffer.subarray(0, filled).lastIndexOf(NEWLINE) + 1
    if (end === 0) return this.skipEndlessLine(fd, filled)
    const messages = findMessages(this.buffer, end)
    return { block: this.buffer, messages, bytes: end, after: { segment, offset: offset + end } }
  }

  /** A line longer than the buffer is none of ours: what follows it is still shipped. */
  private skipEndlessLine(fd: number, filled: number): Chunk | undefined {
    if (filled < CHUNK_BYTES) return undefined
    const { segment, offset } = this.place
    const bytes = Math.min(CHUNK_BYTES, fstatSync(fd).size - offset)
    return { block: this.buffer, messages: [], bytes, after: { segment, offset: offset + bytes } }
  }

  private leaveSegment(next: Place): void {
    const left = this.place.segment
    if (this.segmentFd !== undefined) closeSync(this.segmentFd)
    this.segmentFd = undefined
    this.place = next
    this.savePlace()
    rmSync(join(this.dir, segmentName(left)), { force: true })
  }

  private savePlace(): void {
    writeSync(this.placeFd, formatPlace(this.place), 0)
  }

  /** A segment older than the saved place was shipped whole and only its removal was cut short. */
  private firstPlace(): Place {
    const saved = readPlace(this.dir)
    for (const number of this.segments()) {
      if (saved === undefined || number > saved.segment) return { segment: number, offset: 0 }
      if (number === saved.segment) return saved
      const file = join(this.dir, segmentName(number))
      this.removedBytes += statSync(file).size
      rmSync(file, { force: true })
    }
    return saved ?? { segment: 0, offset: 0 }
  }

  private segments(): number[] {
    return readdirSync(this.dir)
      .map(segmentNumber)
      .filter((number) => number !== undefined)
      .toSorted((a, b) => a - b)
  }
}

/** `<key> <value>` up to each line's end. */
function findMessages(block: Buffer, filled: number): Message[] {
  const messages: Message[] = []
  for (let key = 0; key < filled;) {
    const end = block.indexOf(NEWLINE, key)
    const keyEnd = block.indexOf(SPACE, key)
    if (keyEnd > key && keyEnd < end) messages.push({ key, keyEnd, value: keyEnd + 1, end })
    key = end + 1
  }
  return messages
}

function openIfThere(file: string): number | undefined {
  try {
    return openSync(file, 'r')
  } catch (error) {
    // Whatever else is in the way may pass: what was not read is not to be taken for shipped.
    if (!isMissing(error)) throw error
    return undefined
  }
}
