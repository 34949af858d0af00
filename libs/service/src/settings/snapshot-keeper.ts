import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { KnownQuery } from '@tapeline/contracts/config/version'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { Logger } from '../logger.ts'

/** `revision` tells two states apart that have one version: that of a restored database is given out twice. */
export type Versioned = { version: number; revision?: string | undefined }
export type SnapshotOptions<T extends TSchema> = {
  /** As logs and metrics name it. */
  name: string
  schema: T
  /** The last good snapshot, used at a start without its owner. */
  file: string
  /** Undefined: the owner has nothing newer than `known`. What comes is checked here, so that a refusal is told. */
  ask: (known: Versioned | undefined) => Promise<unknown>
  logger: Logger
  /** Why a snapshot of the right shape cannot hold, if so. */
  faultOf?: (snapshot: Static<T>) => string | undefined
}

const ASK_EVERY_MS = 10_000
/** As long as the owner has not been heard in this process. */
const FIRST_ASK_EVERY_MS = 1_000
/** A change was heard and the owner's answer was older: asked again this often, so many times. */
const BEHIND_EVERY_MS = 200
const BEHIND_TRIES_MAX = 20

/** Who knows no revision is told by the version alone. */
export function isKnown(known: Versioned, held: Versioned): boolean {
  return known.version === held.version && (known.revision ?? held.revision) === held.revision
}

/** As the owner reads it again. */
export function knownQuery(known: Versioned | undefined): string {
  if (known === undefined) return ''
  return `?known=${known.version}${known.revision === undefined ? '' : `&revision=${known.revision}`}`
}

export function readKnown({ known: version, revision }: KnownQuery): Versioned | undefined {
  return version === undefined ? undefined : { version, revision }
}

/**
 * A document of another service, as that gave it last: loaded whole at the start, when a change is heard, and every ten
 * seconds, so that an event that was missed costs no more than that. What is not valid never replaces what is.
 */
export class SnapshotKeeper<T extends TSchema> {
  snapshot: (Static<T> & Versioned) | undefined
  /** Where the snapshot is from. */
  origin: 'nowhere' | 'disk' | 'owner' = 'nowhere'
  /** Snapshots that came and were not valid. */
  refused = 0
  private heard = 0
  private timer: NodeJS.Timeout | undefined
  private asking: Promise<void> | undefined
  private isStopped = false
  private refusedLast = ''
  private readonly options: SnapshotOptions<T>

  constructor(options: SnapshotOptions<T>) {
    this.options = options
  }

  /** Does not wait for the owner longer than one question takes. */
  async start(): Promise<void> {
    await this.refresh()
    if (this.snapshot === undefined) await this.readFile()
    this.schedule()
  }

  stop(): void {
    this.isStopped = true
    clearTimeout(this.timer)
  }

  /** A change made this version: asked until the owner gives it or a later one. */
  hear(version: number): void {
    this.heard = Math.max(this.heard, version)
    void this.catchUp()
  }

  /** Never throws: without a good answer the last good snapshot stays. A question that is on its way is joined. */
  async refresh(): Promise<void> {
    this.asking ??= this.ask().finally(() => (this.asking = undefined))
    await this.asking
  }

  private async catchUp(): Promise<void> {
    for (let tries = 0; this.isBehind() && tries < BEHIND_TRIES_MAX; tries += 1) {
      if (tries > 0) await new Promise((resolve) => setTimeout(resolve, BEHIND_EVERY_MS).unref())
      await this.refresh()
    }
  }

  private isBehind(): boolean {
    return !this.isStopped && this.heard > (this.snapshot?.version ?? -1)
  }

  private schedule(): void {
    if (this.isStopped) return
    const everyMs = this.origin === 'owner' ? ASK_EVERY_MS : FIRST_ASK_EVERY_MS
    this.timer = setTimeout(() => void this.refresh().finally(() => this.schedule()), everyMs)
    this.timer.unref()
  }

  private async ask(): Promise<void> {
    const { ask, logger, name } = this.options
    try {
      const snapshot = await ask(this.origin === 'owner' ? this.snapshot : undefined)
      if (snapshot !== undefined && this.isGood(snapshot)) await this.takeOver(snapshot)
    } catch (err) {
      if (this.snapshot === undefined) logger.warn({ err }, `${name} cannot be had from their owner yet`)
    }
  }

  private async takeOver(snapshot: Static<T> & Versioned): Promise<void> {
    const before = this.snapshot
    // A version from the disk may be of a database that has since been made anew.
    if (this.origin === 'owner' && before !== undefined && snapshot.version <= before.version) {
      if (snapshot.revision === undefined || snapshot.revision === before.revision) return
      this.tellOfReturn(before, snapshot)
    }
    this.snapshot = snapshot
    this.origin = 'owner'
    if (before === undefined || !isKnown(before, snapshot)) await this.writeFile(snapshot)
  }

  /** The owner answers one question after the other, so an older state means that its database has gone back. */
  private tellOfReturn({ version: before }: Versioned, { version }: Versioned): void {
    this.heard = version
    const { logger, name } = this.options
    logger.warn(
      { before, version },
      `${name}: their owner went back to an older state, as after a restore; it holds now`,
    )
  }

  private isGood(snapshot: unknown): snapshot is Static<T> & Versioned {
    const fault = this.faultOf(snapshot)
    if (fault === undefined) return true
    this.refused += 1
    // Told once for each fault, not at every question.
    if (fault !== this.refusedLast) this.options.logger.error({ fault }, `${this.options.name}: a snapshot is refused`)
    this.refusedLast = fault
    return false
  }

  private faultOf(snapshot: unknown): string | undefined {
    const { schema, faultOf } = this.options
    if (!Value.Check(schema, snapshot)) {
      const [first] = Value.Errors(schema, snapshot)
      return `${first?.instancePath ?? ''} ${first?.message ?? 'is not valid'}`.trim()
    }
    return faultOf?.(snapshot)
  }

  private async writeFile(snapshot: Static<T>): Promise<void> {
    const { file, logger, name } = this.options
    const aside = `${file}.${process.pid}.new`
    try {
      await mkdir(dirname(file), { recursive: true })
      await writeFile(aside, JSON.stringify(snapshot))
      await rename(aside, file)
    } catch (err) {
      logger.warn({ err }, `${name} could not be kept on disk`)
    }
  }

  private async readFile(): Promise<void> {
    const { file, logger, name } = this.options
    try {
      const value: unknown = JSON.parse(await readFile(file, 'utf8'))
      if (!this.isGood(value)) return
      this.snapshot = value
      this.origin = 'disk'
      logger.warn({ version: value.version }, `${name} are from the disk until their owner answers`)
    } catch {
      logger.warn(`${name}: nothing is known yet`)
    }
  }
}
