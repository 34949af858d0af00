import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { CachedVersionQuery } from '@tapeline/contracts/config/version'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { Logger } from '../logger.ts'

/** `revision` distinguishes two states with the same version: a restored database reuses version numbers. */
export type Versioned = { version: number; revision?: string | undefined }
export type SnapshotOptions<T extends TSchema> = {
  /** Name in logs and metrics. */
  name: string
  schema: T
  /** File of the last valid snapshot, used when the owner is unavailable at start. */
  file: string
  /**
   * Loads the snapshot; undefined when there is nothing newer than `cached`. The cache validates the result and
   * reports rejections.
   */
  fetchSnapshot: (cached: Versioned | undefined) => Promise<unknown>
  logger: Logger
  /** Reason why a well-formed snapshot is invalid, if it is. */
  faultOf?: (snapshot: Static<T>) => string | undefined
}

const POLL_EVERY_MS = 10_000
/** Retry interval until the owner has responded for the first time. */
const FIRST_POLL_EVERY_MS = 1_000
/** Retry interval and count when an event announced a newer version than the owner returned. */
const STALE_POLL_EVERY_MS = 200
const STALE_POLLS_MAX = 20

/** Without a revision only the versions are compared. */
export function isCurrent(cached: Versioned, newest: Versioned): boolean {
  return cached.version === newest.version && (cached.revision ?? newest.revision) === newest.revision
}

/** Query string that identifies the cached snapshot. */
export function cachedVersionQuery(cached: Versioned | undefined): string {
  if (cached === undefined) return ''
  return `?known=${cached.version}${cached.revision === undefined ? '' : `&revision=${cached.revision}`}`
}

/** The version in a query built by `cachedVersionQuery`; undefined when it has none. */
export function readCachedVersion({ known: version, revision }: CachedVersionQuery): Versioned | undefined {
  return version === undefined ? undefined : { version, revision }
}

/**
 * Caches a document of another service: loaded at the start, after a change event, and every ten seconds, which
 * bounds the effect of a missed event. An invalid document never replaces a valid one.
 */
export class SnapshotCache<T extends TSchema> {
  snapshot: (Static<T> & Versioned) | undefined
  /** Source of the snapshot. */
  origin: 'nowhere' | 'disk' | 'owner' = 'nowhere'
  /** Number of rejected snapshots. */
  refused = 0
  private minVersion = 0
  private timer: NodeJS.Timeout | undefined
  private loading: Promise<void> | undefined
  private isStopped = false
  private refusedLast = ''
  private readonly options: SnapshotOptions<T>

  constructor(options: SnapshotOptions<T>) {
    this.options = options
  }

  /** Resolves after the first attempt, at most one request timeout. */
  async start(): Promise<void> {
    await this.refresh()
    if (this.snapshot === undefined) await this.readFile()
    this.schedule()
  }

  stop(): void {
    this.isStopped = true
    clearTimeout(this.timer)
  }

  /** Handles a change event: loads until the owner returns this version or a later one. */
  invalidate(version: number): void {
    this.minVersion = Math.max(this.minVersion, version)
    void this.catchUp()
  }

  /** Loads the snapshot; concurrent calls share one request. Never throws: on failure the last valid snapshot is kept. */
  async refresh(): Promise<void> {
    this.loading ??= this.fetchSnapshot().finally(() => (this.loading = undefined))
    await this.loading
  }

  /** As `refresh`, after changes may have been missed: a load that is already running may have begun before them. */
  async reload(): Promise<void> {
    await this.loading
    if (!this.isStopped) await this.refresh()
  }

  private async catchUp(): Promise<void> {
    for (let tries = 0; this.isStale() && tries < STALE_POLLS_MAX; tries += 1) {
      if (tries > 0) await new Promise((resolve) => setTimeout(resolve, STALE_POLL_EVERY_MS).unref())
      await this.refresh()
    }
  }

  private isStale(): boolean {
    return !this.isStopped && this.minVersion > (this.snapshot?.version ?? -1)
  }

  private schedule(): void {
    if (this.isStopped) return
    const everyMs = this.origin === 'owner' ? POLL_EVERY_MS : FIRST_POLL_EVERY_MS
    this.timer = setTimeout(() => void this.refresh().finally(() => this.schedule()), everyMs)
    this.timer.unref()
  }

  private async fetchSnapshot(): Promise<void> {
    const { fetchSnapshot, logger, name } = this.options
    try {
      const snapshot = await fetchSnapshot(this.origin === 'owner' ? this.snapshot : undefined)
      if (snapshot !== undefined && this.isValid(snapshot)) await this.takeOver(snapshot)
    } catch (err) {
      if (this.snapshot === undefined) logger.warn({ err }, `${name}: loading them from their owner failed; retrying`)
    }
  }

  private async takeOver(snapshot: Static<T> & Versioned): Promise<void> {
    const before = this.snapshot
    // A version from disk may be from a database that was re-created since.
    if (this.origin === 'owner' && before !== undefined && snapshot.version <= before.version) {
      if (snapshot.revision === undefined || snapshot.revision === before.revision) return
      this.logRollback(before, snapshot)
    }
    this.snapshot = snapshot
    this.origin = 'owner'
    if (before === undefined || !isCurrent(before, snapshot)) await this.writeFile(snapshot)
  }

  /** Requests are sequential, so an older version means that the owner's database was restored. */
  private logRollback({ version: before }: Versioned, { version }: Versioned): void {
    this.minVersion = version
    const { logger, name } = this.options
    logger.warn({ before, version }, `${name}: their owner has an older state, as after a restore; using it`)
  }

  private isValid(snapshot: unknown): snapshot is Static<T> & Versioned {
    const fault = this.faultOf(snapshot)
    if (fault === undefined) return true
    this.refused += 1
    // Logged once per fault, not on every request.
    if (fault !== this.refusedLast)
      this.options.logger.error({ fault }, `${this.options.name}: snapshot rejected; keeping the last valid one`)
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
      logger.warn({ err }, `${name}: writing the snapshot to disk failed; it stays in memory`)
    }
  }

  private async readFile(): Promise<void> {
    const { file, logger, name } = this.options
    try {
      const value: unknown = JSON.parse(await readFile(file, 'utf8'))
      if (!this.isValid(value)) return
      this.snapshot = value
      this.origin = 'disk'
      logger.warn({ version: value.version }, `${name}: loaded from disk; used until their owner responds`)
    } catch {
      logger.warn(`${name}: no snapshot yet; using the defaults`)
    }
  }
}
