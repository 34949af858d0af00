import { closeSync, ftruncateSync, mkdirSync, openSync, readdirSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '@tapeline/service/logger'
import { readPlace, segmentName, segmentNumber } from './journal-files.ts'
import { BATCH_BYTES_MAX, CHECKSUM_BYTES, checksumOf, COMMIT_BYTES, commitLine } from './journal-lines.ts'

/** Called when the operating system has the line, so that a kill no longer loses it, or when it cannot be written. */
export type Journaled = { onJournaled: (isWritten: boolean) => void }
export type UsageJournalOptions = { dir: string; bytesMax: number; segmentBytes: number; logger: Logger }

/** UTF-8 bytes of one UTF-16 unit, at most. */
const BYTES_PER_UNIT_MAX = 3
const ALARM_SHARE = 0.8
/** Interval of probing a full disk, by writing and removing `PROBE`. */
const PROBE_EVERY_MS = 250
const PROBE = Buffer.alloc(65_536)

/**
 * Usage events on disk, one line each: `<account> <event as JSON> <checksum>`. All lines of one turn of the event loop are
 * one write, ended by a commit line: a write that a full disk or a crash cut short is never shipped.
 * The worker adds to `freed` with every chunk that Kafka acknowledges.
 */
export class UsageJournal {
  readonly freed = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT))
  private readonly buffer = Buffer.allocUnsafeSlow(BATCH_BYTES_MAX)
  private filled = 0
  private waiting: Journaled[] = []
  private isFlushDue = false
  private isClosed = false
  private fd: number | undefined
  private number: number
  private segmentFilled = 0
  private bytesWritten: number
  private isAlarmed = false
  private probing: NodeJS.Timeout | undefined
  private readonly options: UsageJournalOptions

  constructor(options: UsageJournalOptions) {
    this.options = options
    mkdirSync(options.dir, { recursive: true })
    const segments = readdirSync(options.dir).filter((name) => segmentNumber(name) !== undefined)
    this.bytesWritten = segments.reduce((sum, name) => sum + statSync(join(options.dir, name)).size, 0)
    // After the acknowledged position, because lower segment numbers count as shipped.
    const reached = readPlace(options.dir)?.segment ?? 0
    this.number = 1 + Math.max(reached, ...segments.map((name) => segmentNumber(name) ?? 0))
    this.probe()
  }

  /** Bytes that Kafka has not acknowledged. */
  bytes(): number {
    return this.bytesWritten - (this.freed[0] ?? 0)
  }

  /** True at `bytesMax` and on a full disk. */
  isFull(): boolean {
    return this.probing !== undefined || this.bytes() >= this.options.bytesMax
  }

  append(line: string, whenDone: Journaled): void {
    if (this.isClosed) {
      whenDone.onJournaled(false)
      return
    }
    const bytesMax = line.length * BYTES_PER_UNIT_MAX + CHECKSUM_BYTES + COMMIT_BYTES
    if (this.filled + bytesMax > BATCH_BYTES_MAX) this.flush()
    this.add(line)
    this.waiting.push(whenDone)
    if (this.isFlushDue) return
    this.isFlushDue = true
    setImmediate(() => this.flush())
  }

  /** The checksum takes the place of the newline. */
  private add(line: string): void {
    const from = this.filled
    const end = from + this.buffer.write(line, from) - 1
    this.filled = end + this.buffer.write(` ${checksumOf(this.buffer.subarray(from, end))}\n`, end, 'latin1')
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
    clearTimeout(this.probing)
    if (this.fd !== undefined) closeSync(this.fd)
    this.fd = undefined
  }

  private write(): boolean {
    try {
      this.filled += this.buffer.write(commitLine(this.filled), this.filled, 'latin1')
      this.fd ??= this.openSegment()
      for (let from = 0; from < this.filled;) from += writeSync(this.fd, this.buffer, from, this.filled - from)
    } catch (err) {
      this.options.logger.error({ err }, 'usage journal: write failed; counted requests get 503 until it succeeds')
      if (this.fd !== undefined) this.dropIncompleteBatch(this.fd)
      this.probeLater()
      return false
    }
    this.segmentFilled += this.filled
    this.bytesWritten += this.filled
    if (this.segmentFilled >= this.options.segmentBytes) this.endSegment(this.fd)
    this.alarm()
    return true
  }

  /** Until the disk has room, counted requests are rejected before they are served. */
  private probe(): void {
    this.probing = undefined
    try {
      this.fd ??= this.openSegment()
      for (let from = 0; from < PROBE.length;) from += writeSync(this.fd, PROBE, from)
      ftruncateSync(this.fd, this.segmentFilled)
    } catch (err) {
      this.options.logger.debug({ err }, 'usage journal: still not writable; retrying')
      if (this.fd !== undefined) this.dropIncompleteBatch(this.fd)
      this.probeLater()
    }
  }

  private probeLater(): void {
    if (this.isClosed) return
    this.probing ??= setTimeout(() => this.probe(), PROBE_EVERY_MS).unref()
  }

  /** An empty segment is reused; nothing is appended to other segments, so that an incomplete batch stays at the end. */
  private dropIncompleteBatch(fd: number): void {
    try {
      ftruncateSync(fd, this.segmentFilled)
      if (this.segmentFilled === 0) return
    } catch (err) {
      this.options.logger.error({ err }, 'usage journal: removing an incomplete batch failed; the shipper drops it')
    }
    this.endSegment(fd)
  }

  /** The batch was already written, so a failing close does not lose it. */
  private endSegment(fd: number): void {
    this.fd = undefined
    this.number += 1
    try {
      closeSync(fd)
    } catch (err) {
      this.options.logger.error({ err }, 'usage journal: closing a segment failed; its events are written')
    }
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
      this.options.logger.error(
        { bytes: this.bytes(), bytesMax },
        'usage journal: 80 % full; check that Kafka is reachable',
      )
    }
    this.isAlarmed = isHigh
  }
}
