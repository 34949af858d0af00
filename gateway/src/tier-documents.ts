import { readFile, rename, writeFile } from 'node:fs/promises'
import { TierSnapshot } from '@tapeline/contracts/config/http'
import type { Logger } from '@tapeline/service/logger'
import { Value } from 'typebox/value'

export type TierDocumentsOptions = {
  /** Last good snapshot, used at a start without config. */
  file: string
  ask: () => Promise<TierSnapshot | undefined>
  logger: Logger
}

const ASK_EVERY_MS = 10_000

/** The tier documents as config last gave them; asked again every ten seconds and when a change is heard. */
export class TierDocuments {
  snapshot: TierSnapshot | undefined
  private timer: NodeJS.Timeout | undefined
  private asking: Promise<void> | undefined
  private readonly options: TierDocumentsOptions

  constructor(options: TierDocumentsOptions) {
    this.options = options
  }

  async start(): Promise<void> {
    await this.refresh()
    if (this.snapshot === undefined) await this.readFile()
    this.timer = setInterval(() => void this.refresh(), ASK_EVERY_MS)
    this.timer.unref()
  }

  stop(): void {
    clearInterval(this.timer)
  }

  /** Never throws: without an answer the last good documents stay. */
  async refresh(): Promise<void> {
    this.asking ??= this.ask().finally(() => (this.asking = undefined))
    await this.asking
  }

  private async ask(): Promise<void> {
    try {
      const snapshot = await this.options.ask()
      if (snapshot === undefined || snapshot.version < (this.snapshot?.version ?? 0)) return
      const isNew = snapshot.version !== this.snapshot?.version
      if (!isNew) return
      this.snapshot = snapshot
      await writeFile(`${this.options.file}.new`, JSON.stringify(snapshot))
      await rename(`${this.options.file}.new`, this.options.file)
    } catch (err) {
      if (this.snapshot === undefined) this.options.logger.warn({ err }, 'the tier documents cannot be had from config')
    }
  }

  private async readFile(): Promise<void> {
    try {
      const value: unknown = JSON.parse(await readFile(this.options.file, 'utf8'))
      if (Value.Check(TierSnapshot, value)) this.snapshot = value
    } catch {
      this.options.logger.warn('no tier documents yet: requests that need them are answered 503')
    }
  }
}
