import { type createKafka, createProducer } from '@tapeline/events/kafka'
import type { Topic } from '@tapeline/contracts/topics'
import type { Logger } from '@tapeline/service/logger'
import type pg from 'pg'
import { compareNanoseconds } from '../nanoseconds.ts'
import { compareRows, sequenceOfRow } from './position.ts'
import type { StoredSequences } from '../store/store-records.ts'
import { encodeStoredRows } from './live-message.ts'
import { listRowsBySequence } from './tail-queries.ts'

/** Rows that were stored, in the order of their sequences per channel. */
export const LIVE_TOPIC: Topic = 'market-data-live'

type Producer = ReturnType<typeof createProducer>
export type PublisherOptions = {
  kafka: ReturnType<typeof createKafka>
  topicPrefix: string
  pool: pg.Pool
  logger: Logger
}

const SEND_RETRIES = 3
/** Larger batches are announced without their rows. */
const ROWS_MAX = 2_000
const CHARACTERS_MAX = 700_000

/**
 * Announces records that the consumer has stored. An announcement may be lost: a stream then detects the gap in the
 * sequences and reads the store.
 */
export class StoredPublisher {
  private readonly options: PublisherOptions
  /** Rows of the open transaction. */
  private noted: StoredSequences[] = []
  private readonly pending = new Map<string, StoredSequences>()
  private producer: Producer | undefined
  private running: Promise<void> | undefined
  private isStopped = false
  private isFailing = false

  constructor(options: PublisherOptions) {
    this.options = options
  }

  /** Called before the commit; sequences that are never committed are not read later and not announced. */
  readonly note = (stored: StoredSequences): void => {
    this.noted.push(stored)
  }

  /** Announces the stored rows; to be called after the commit. */
  readonly publish = (): void => {
    for (const stored of this.noted) {
      const key = `${stored.channel} ${stored.instrumentId}`
      const waiting = this.pending.get(key)
      this.pending.set(key, waiting === undefined ? stored : joined(waiting, stored))
    }
    this.noted = []
    this.sendSoon()
  }

  private sendSoon(): void {
    if (this.running !== undefined || this.pending.size === 0 || this.isStopped) return
    this.running = this.sendPending().finally(() => {
      this.running = undefined
      this.sendSoon()
    })
  }

  async stop(): Promise<void> {
    this.isStopped = true
    await this.running
    await this.producer?.disconnect()
  }

  private async sendPending(): Promise<void> {
    const stored = [...this.pending.values()]
    this.pending.clear()
    try {
      const messages = (await Promise.all(stored.map((one) => this.messageOf(one)))).flat()
      if (messages.length === 0) return
      this.producer ??= await this.connect()
      await this.producer.send({ topic: this.options.topicPrefix + LIVE_TOPIC, acks: -1, messages })
      this.isFailing = false
    } catch (err) {
      if (!this.isFailing)
        this.options.logger.warn(
          { err },
          'store: stored records could not be announced; streams read them from the store',
        )
      this.isFailing = true
      const { producer } = this
      this.producer = undefined
      await producer?.disconnect().catch(() => undefined)
    }
  }

  private async connect(): Promise<Producer> {
    const producer = createProducer(this.options.kafka, SEND_RETRIES)
    await producer.connect()
    return producer
  }

  private async messageOf(stored: StoredSequences): Promise<{ key: string; value: string }[]> {
    const { channel, instrumentId, after, through } = stored
    const key = `${channel} ${instrumentId}`
    const range = { channel, instrumentId, first: after + 1, last: through }
    if (through - after > ROWS_MAX) return [{ key, value: encodeStoredRows(range) }]
    const found = await listRowsBySequence(this.options.pool, { ...stored, limit: ROWS_MAX })
    const rows = found.toSorted((one, other) => sequenceOfRow(one) - sequenceOfRow(other))
    const last = sequenceOfRow(rows.at(-1) ?? [])
    if (rows.length === 0) return []
    const value = encodeStoredRows({ ...range, last, rows: rows.toSorted(compareRows) })
    return [{ key, value: value.length > CHARACTERS_MAX ? encodeStoredRows({ ...range, last }) : value }]
  }
}

function joined(one: StoredSequences, other: StoredSequences): StoredSequences {
  const [earlier, later] = compareNanoseconds(one.from, other.from) <= 0 ? [one, other] : [other, one]
  const to = compareNanoseconds(one.to, other.to) >= 0 ? one.to : other.to
  const after = Math.min(one.after, other.after)
  return { ...later, after, through: Math.max(one.through, other.through), from: earlier.from, to }
}
