import { setTimeout as delay } from 'node:timers/promises'
import { BlockProducer } from '@tapeline/events/producer/block-producer'
import type { Log } from '@tapeline/events/log'
import type { Kafka } from 'kafkajs'
import { type Chunk, JournalReader } from './journal-reader.ts'

export type JournalToShip = {
  dir: string
  /** Folders that dead processes left. */
  adopted: readonly string[]
  /** With the prefix of this platform. */
  topic: string
  /** Bytes acknowledged, shared with the journal. */
  freed: Float64Array
}
type Deps = { kafka: Kafka; log: Log; stopping: AbortSignal }

/** What comes in this time travels together: a request to Kafka costs as much as hundreds of events in it. */
const GATHER_MS = 100
/** So much at once means that more is waiting. */
const FULL_BYTES = 262_144
const RETRY_MS = 500
const LAST_ROUNDS_MS = 1_500

/** Sends the journal to Kafka, in order, until it is told to stop; then for a moment longer what is left. */
export async function shipUsage(deps: Deps, { dir, adopted, topic, freed }: JournalToShip): Promise<void> {
  const shipping = new Shipping(deps, topic)
  for (const folder of adopted) await shipping.shipAll(new JournalReader(folder, true))
  const own = new JournalReader(dir, false)
  if (freed[0] === 0) freed[0] = own.acknowledgedAtStart()
  await shipping.shipAsItComes(own, (bytes) => (freed[0] = (freed[0] ?? 0) + bytes))
  own.finish()
  await shipping.end()
}

class Shipping {
  private producer: BlockProducer | undefined
  private isOutageLogged = false
  private stopAtMs = Infinity
  private readonly deps: Deps
  private readonly topic: string

  constructor(deps: Deps, topic: string) {
    this.deps = deps
    this.topic = topic
    const { stopping } = deps
    const stopSoon = () => (this.stopAtMs = Date.now() + LAST_ROUNDS_MS)
    if (stopping.aborted) stopSoon()
    else stopping.addEventListener('abort', stopSoon)
  }

  private isOver(): boolean {
    return Date.now() >= this.stopAtMs
  }

  async end(): Promise<void> {
    await this.producer?.disconnect().catch(() => {})
  }

  async shipAll(reader: JournalReader): Promise<void> {
    while (!this.isOver()) {
      if ((await this.shipNext(reader)) !== undefined) continue
      if (!this.isOver()) reader.finish()
      return
    }
  }

  async shipAsItComes(reader: JournalReader, acknowledged: (bytes: number) => void): Promise<void> {
    const { stopping } = this.deps
    while (!this.isOver()) {
      const shipped = await this.shipNext(reader)
      if (shipped !== undefined) acknowledged(shipped.bytes)
      if (shipped !== undefined && (shipped.bytes >= FULL_BYTES || stopping.aborted)) continue
      if (stopping.aborted) return
      await delay(GATHER_MS)
    }
  }

  /** What was acknowledged; undefined when there was nothing to send, or no more time. */
  private async shipNext(reader: JournalReader): Promise<Chunk | undefined> {
    const chunk = reader.next()
    if (chunk === undefined) return undefined
    this.report(chunk)
    while (!(await this.send(chunk))) {
      if (this.isOver()) return undefined
      await delay(RETRY_MS)
    }
    reader.acknowledge(chunk)
    return chunk
  }

  private report({ damaged, dropped }: Chunk): void {
    const { log } = this.deps
    if (damaged > 0) log.error({ lines: damaged }, 'damaged lines of the usage journal are sent as dead letters')
    if (dropped > 0)
      log.warn({ bytes: dropped }, 'an incomplete append to the usage journal was dropped: its callers were refused')
  }

  /** A producer that failed is thrown away: what it sent once may arrive twice, and is dropped there by its event id. */
  private async send({ block, messages }: Chunk): Promise<boolean> {
    if (messages.length === 0) return true
    const { kafka, log } = this.deps
    try {
      this.producer ??= await BlockProducer.connect(kafka, this.topic)
      await this.producer.send(block, messages)
      if (this.isOutageLogged) log.info({}, 'usage events reach Kafka again')
      this.isOutageLogged = false
      return true
    } catch (err) {
      if (!this.isOutageLogged) log.warn({ error: String(err), events: messages.length }, 'usage events wait for Kafka')
      this.isOutageLogged = true
      await this.end()
      this.producer = undefined
      return false
    }
  }
}
