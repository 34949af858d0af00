import { closeSync, ftruncateSync, mkdirSync, openSync, readdirSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '@tapeline/service/logger'
import { readPlace, segmentName, segmentNumber } from './journal-files.ts'

/** Told when its line is in the operating system's hands: a killed process no longer loses it. */
export type Journaled = { onJournaled: (isWritten: boolean) => void }
export type UsageJournalOptions = { dir: string; bytesMax: number; segmentBytes: number; logger: Logger }

const BUFFER_BYTES = 1_048_576
/** UTF-8 bytes of one UTF-16 unit, at most. */
const BYTES_PER_UNIT_MAX = 3
const ALARM_SHARE = 0.8

/**
 * Usage events on disk, one line each: `<account> <event as JSON>`. All lines of one turn of the event loop are one write.
 * `freed` is counted up by the shipper's thread with every chunk that Kafka acknowledges.
 */
export class UsageJournal {
  readonly freed = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT))
  private readonly buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  private filled = 0
  private waiting: Journaled[] = []
  private isFlushDue = false
  private isClosed = false
  private fd: number | undefined
  private number: number
  private segmentFilled = 0
  private bytesWritten: number
  private isAlarmed = false
  private readonly options: UsageJournalOptions

  constructor(options: UsageJournalOptions) {
    this.options = options
    mkdirSync(options.dir, { recursive: true })
    const segments = readdirSync(options.dir).filter((name) => segmentNumber(name) !== undefined)
    this.bytesWritten = segments.reduce((sum, name) => sum + statSync(join(options.dir, name)).size, 0)
    // Behind the place that was reached, too: numbers below it count as shipped.
    const reached = readPlace(options.dir)?.segment ?? 0
    this.number = 1 + Math.max(reached, ...segments.map((name) => segmentNumber(name) ?? 0))
    this.fd = this.openSegment()
  }

  /** Bytes that Kafka has not acknowledged. */
  bytes(): number {
    return this.bytesWritten - (this.freed[0] ?? 0)
  }

  isFull(): boolean {
    return this.bytes() >= this.options.bytesMax
  }

  append(line: string, whenDone: Journaled): void {
    if (this.isClosed) {
      whenDone.onJournaled(false)
      return
    }
    if (this.filled + line.length * BYTES_PER_UNIT_MAX > BUFFER_BYTES) this.flush()
    this.filled += this.buffer.write(line, this.filled)
    this.waiting.push(whenDone)
    if (this.isFlushDue) return
    this.isFlushDue = true
    setImmediate(() => this.flush())
  }

  flush(): void {
    this.isFlushDue = false
    const { waiting } = this
    if (waiting.length === 0) return
    this.waiting = []
    const isWritten = this.write()
    this.filled = 0
    for (const one of waiting) one.onJournaled(isWritten)
  }

  close(): void {
    this.flush()
    this.isClosed = true
    if (this.fd !== undefined) closeSync(this.fd)
    this.fd = undefined
  }

  private write(): boolean {
    try {
      this.fd ??= this.openSegment()
      for (let from = 0; from < this.filled;) from += writeSync(this.fd, this.buffer, from, this.filled - from)
      this.segmentFilled += this.filled
      this.bytesWritten += this.filled
      if (this.segmentFilled >= this.options.segmentBytes) this.endSegment(this.fd)
      this.alarm()
      return true
    } catch (err) {
      this.options.logger.error({ err }, 'the usage journal cannot be written')
      if (this.fd !== undefined) this.dropTornLines(this.fd)
      return false
    }
  }

  /** A line that was cut would spoil the one after it: what follows goes to the next segment. */
  private dropTornLines(fd: number): void {
    try {
      ftruncateSync(fd, this.segmentFilled)
      this.endSegment(fd)
    } catch (err) {
      this.options.logger.error({ err }, 'a torn journal line could not be removed')
      this.fd = undefined
      this.number += 1
    }
  }

  private endSegment(fd: number): void {
    this.fd = undefined
    this.number += 1
    closeSync(fd)
  }

  private openSegment(): number {
    const fd = openSync(join(this.options.dir, segmentName(this.number)), 'ax', 0o600)
    this.segmentFilled = 0
    return fd
  }

  private alarm(): void {
    const isHigh = this.bytes() >= this.options.bytesMax * ALARM_SHARE
    if (isHigh && !this.isAlarmed) {
      const { bytesMax } = this.options
      this.options.logger.error({ bytes: this.bytes(), bytesMax }, 'the usage journal is nearly full: is Kafka away?')
    }
    this.isAlarmed = isHigh
  }
}
