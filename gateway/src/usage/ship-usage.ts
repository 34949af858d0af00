import { setTimeout as delay } from 'node:timers/promises'
import { BlockProducer } from '@tapeline/events/producer/block-producer'
import type { Log } from '@tapeline/events/log'
import type { Kafka } from 'kafkajs'
import { type Chunk, JournalReader } from './journal-reader.ts'

export type JournalToShip = {
  dir: string
  /** Folders of ended processes. */
  adopted: readonly string[]
  /** Name of the topic with the platform's prefix. */
  topic: string
  /** Bytes acknowledged, shared with the journal. */
  freed: Float64Array
}
type Deps = { kafka: Kafka; log: Log; stopping: AbortSignal }

/** Events of this interval share a request to Kafka, which costs as much as hundreds of events. */
const GATHER_MS = 100
/** A chunk of this size means that more is waiting: the next one is read immediately. */
const FULL_BYTES = 262_144
const RETRY_MS = 500
const LAST_ROUNDS_MS = 1_500

/** Sends the journal to Kafka in order until `stopping` aborts, then for up to 1.5 s what is left. */
export async function shipUsage(deps: Deps, { dir, adopted, topic, freed }: JournalToShip): Promise<void> {
  const shipping = new Shipping(deps, topic)
  for (const folder of adopted) await shipping.shipAll(new JournalReader(folder, true))
  const own = new JournalReader(dir, false)
  if (freed[0] === 0) freed[0] = own.acknowledgedAtStart()
  await shipping.shipContinuously(own, (bytes) => (freed[0] = (freed[0] ?? 0) + bytes))
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
    const stopAfterDrain = () => (this.stopAtMs = Date.now() + LAST_ROUNDS_MS)
    if (stopping.aborted) stopAfterDrain()
    else stopping.addEventListener('abort', stopAfterDrain)
  }

  private isExpired(): boolean {
    return Date.now() >= this.stopAtMs
  }

  async end(): Promise<void> {
    await this.producer?.disconnect().catch(() => {})
  }

  async shipAll(reader: JournalReader): Promise<void> {
    while (!this.isExpired()) {
      if ((await this.shipNext(reader)) !== undefined) continue
      if (!this.isExpired()) reader.finish()
      return
    }
  }

  async shipContinuously(reader: JournalReader, acknowledged: (bytes: number) => void): Promise<void> {
    const { stopping } = this.deps
    while (!this.isExpired()) {
      const shipped = await this.shipNext(reader)
      if (shipped !== undefined) acknowledged(shipped.bytes)
      if (shipped !== undefined && (shipped.bytes >= FULL_BYTES || stopping.aborted)) continue
      if (stopping.aborted) return
      await delay(GATHER_MS)
    }
  }

  /** The acknowledged chunk; undefined when there was nothing to send, or no time left. */
  private async shipNext(reader: JournalReader): Promise<Chunk | undefined> {
    const chunk = reader.next()
    if (chunk === undefined) return undefined
    this.report(chunk)
    while (!(await this.send(chunk))) {
      if (this.isExpired()) return undefined
      await delay(RETRY_MS)
    }
    reader.acknowledge(chunk)
    return chunk
  }

  private report({ damaged, dropped }: Chunk): void {
    const { log } = this.deps
    if (damaged > 0)
      log.error({ lines: damaged }, 'usage shipper: damaged journal lines are sent and will be dead-lettered')
    if (dropped > 0)
      log.warn({ bytes: dropped }, 'usage shipper: an incomplete journal append was dropped; its callers got 503')
  }

  /** A failed producer is replaced: its events may be sent twice, and audit drops duplicates by event id. */
  private async send({ block, messages }: Chunk): Promise<boolean> {
    if (messages.length === 0) return true
    const { kafka, log } = this.deps
    try {
      this.producer ??= await BlockProducer.connect(kafka, this.topic)
      await this.producer.send(block, messages)
      if (this.isOutageLogged) log.info({}, 'usage shipper: Kafka is reachable again')
      this.isOutageLogged = false
      return true
    } catch (err) {
      if (!this.isOutageLogged)
        log.warn(
          { error: String(err), events: messages.length },
          'usage shipper: Kafka is unavailable; events stay in the journal, retrying',
        )
      this.isOutageLogged = true
      await this.end()
      this.producer = undefined
      return false
    }
  }
}
