import { closeSync, constants, openSync, readdirSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Message } from '@tapeline/events/producer/record-batch'
import {
  formatPlace,
  isDiskFull,
  isMissing,
  type Place,
  PLACE_FILE,
  readPlace,
  segmentName,
  segmentNumber,
} from './journal-files.ts'
import { BATCH_BYTES_MAX, COMMIT_BYTES, endsWithCommit, readLines } from './journal-lines.ts'

/** Lines in order, valid until the next chunk is read, and the position to save once Kafka has them. */
export type Chunk = {
  block: Buffer
  messages: Message[]
  /** Number of damaged lines among these messages. */
  damaged: number
  bytes: number
  /** Bytes of an incomplete append: its callers got 503, so it is not shipped. */
  dropped: number
  after: Place
}

const CHUNK_BYTES = 2 * BATCH_BYTES_MAX
const NEWLINE = 10

/** Reads the segments of one journal folder from the last acknowledged position. */
export class JournalReader {
  private place: Place
  /** Bytes of segments that were shipped whole before this start. */
  private removedBytes = 0
  private placeFd: number | undefined
  private segmentFd: number | undefined
  private readonly buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  private readonly dir: string
  /** The folder of an ended process: its newest segment is finished too. */
  private readonly isAdopted: boolean

  constructor(dir: string, isAdopted: boolean) {
    this.dir = dir
    this.isAdopted = isAdopted
    this.place = this.firstPlace()
  }

  /** Bytes that were acknowledged in segments that still existed at this start. */
  acknowledgedAtStart(): number {
    return this.removedBytes + this.place.offset
  }

  /** The next lines; undefined when there is nothing new. */
  next(): Chunk | undefined {
    for (;;) {
      this.segmentFd ??= openIfExists(join(this.dir, segmentName(this.place.segment)))
      const chunk = this.readIfOpen((fd) => this.read(fd))
      if (chunk !== undefined) return chunk
      const following = this.segments().find((number) => number > this.place.segment)
      if (following === undefined && !this.isAdopted) return undefined
      // Between the last read and now a line may have been added: only a segment with a successor is finished.
      const late = this.readIfOpen((fd) => this.read(fd) ?? this.readTail(fd))
      if (late !== undefined || following === undefined) return late
      this.leaveSegment({ segment: following, offset: 0 })
    }
  }

  acknowledge({ after }: Chunk): void {
    this.place = after
    this.savePlace()
  }

  /** Removes the files of a finished folder. */
  finish(): void {
    if (this.isAdopted) {
      for (const number of this.segments()) rmSync(join(this.dir, segmentName(number)), { force: true })
    }
    if (this.segmentFd !== undefined) closeSync(this.segmentFd)
    if (this.placeFd !== undefined) closeSync(this.placeFd)
  }

  private readIfOpen(read: (fd: number) => Chunk | undefined): Chunk | undefined {
    return this.segmentFd === undefined ? undefined : read(this.segmentFd)
  }

  private read(fd: number): Chunk | undefined {
    const filled = readSync(fd, this.buffer, 0, CHUNK_BYTES, this.place.offset)
    const { messages, committed } = readLines(this.buffer, filled)
    if (committed.bytes > 0) {
      return this.chunk({ ...committed, messages: messages.slice(0, committed.messages) })
    }
    if (filled < CHUNK_BYTES) return undefined
    // More than one batch without a commit line: that line is damaged, and only the newest batch may be incomplete.
    const bytes = this.buffer.lastIndexOf(NEWLINE, filled - BATCH_BYTES_MAX) + 1
    if (bytes === 0) return this.chunk({ bytes: filled - BATCH_BYTES_MAX, dropped: filled - BATCH_BYTES_MAX })
    const sure = messages.filter(({ end }) => end < bytes)
    return this.chunk({ messages: sure, bytes })
  }

  /** The bytes of a finished segment after its last commit line. */
  private readTail(fd: number): Chunk | undefined {
    const filled = readSync(fd, this.buffer, 0, CHUNK_BYTES, this.place.offset)
    if (filled === 0) return undefined
    if (!endsWithCommit(this.buffer, filled)) return this.chunk({ bytes: filled, dropped: filled })
    // The newline before the commit line may be what is damaged.
    const linesEnd = filled - COMMIT_BYTES
    this.buffer[linesEnd - 1] = NEWLINE
    const { messages, damaged } = readLines(this.buffer, linesEnd)
    return this.chunk({ messages, damaged, bytes: filled })
  }

  private chunk(found: Partial<Omit<Chunk, 'block' | 'after'>> & { bytes: number }): Chunk {
    const { segment, offset } = this.place
    const after = { segment, offset: offset + found.bytes }
    return { messages: [], damaged: 0, dropped: 0, ...found, block: this.buffer, after }
  }

  private leaveSegment(next: Place): void {
    const finished = this.place.segment
    if (this.segmentFd !== undefined) closeSync(this.segmentFd)
    this.segmentFd = undefined
    this.place = next
    this.savePlace()
    rmSync(join(this.dir, segmentName(finished)), { force: true })
  }

  /** On a full disk the position is not saved: after a crash some events are sent again, and audit drops them by id. */
  private savePlace(): void {
    try {
      this.placeFd ??= openSync(join(this.dir, PLACE_FILE), constants.O_RDWR | constants.O_CREAT, 0o600)
      writeSync(this.placeFd, formatPlace(this.place), 0)
    } catch (error) {
      if (!isDiskFull(error)) throw error
    }
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

function openIfExists(file: string): number | undefined {
  try {
    return openSync(file, 'r')
  } catch (error) {
    // Other errors may be temporary: a segment that was not read must not count as shipped.
    if (!isMissing(error)) throw error
    return undefined
  }
}
