import { randomUUIDv7 } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Topic } from '@tapeline/contracts/topics'
import { untilAborted } from '@tapeline/events/consumer/pause'
import { type createKafka, createProducer } from '@tapeline/events/kafka'
import type { Logger } from '@tapeline/service/logger'
import { CompressionTypes } from 'kafkajs'
import type { InstrumentOutput } from '../feed-reader.ts'
import { type Batch, type Message, venueMessage } from './venue-event.ts'

const TOPIC: Topic = 'market-data'
const FLUSH_MS = 50
const RETRY_MS = 500
/** kafkajs would otherwise retry for a minute with the same message in front. */
const SEND_RETRIES = 3
const STOP_TIMEOUT_MS = 3_000
/** Records of one message; snapshots are large, so that the size is bounded by levels too. */
const BATCH_RECORDS_MAX = 500
const BATCH_LEVELS_MAX = 4_000
/** Kafka rejects more than a megabyte of one partition in a request: bigger messages are compressed and sent alone. */
const PLAIN_BYTES_MAX = 256 * 1024
const REQUEST_BYTES_MAX = 512 * 1024
const QUEUE_BYTES_MAX = 64 * 1024 * 1024

export type Publisher = {
  publish: (output: Pick<InstrumentOutput, 'instrument' | 'trades' | 'l2Events' | 'tradeGaps'>) => void
  /** The backlog for Kafka has reached its memory limit: connections must be closed until it is sent. */
  isFull: () => boolean
  /** Sends the backlog; waits at most 3 s by default. */
  stop: () => Promise<void>
}

export type PublisherOptions = {
  kafka: ReturnType<typeof createKafka>
  topicPrefix: string
  logger: Logger
  queueBytesMax?: number
  /** Longest wait of `stop` for Kafka. */
  stopTimeoutMs?: number
}

/**
 * Collects records per instrument and sends them to Kafka in order, 50 ms after the first of them; a failed send is
 * repeated.
 */
export function startPublisher(options: PublisherOptions): Publisher {
  const { queueBytesMax = QUEUE_BYTES_MAX, stopTimeoutMs = STOP_TIMEOUT_MS } = options
  const outbox = createOutbox()
  const stopping = new AbortController()
  const running = sendUntilStopped(options, outbox, stopping.signal)
  return {
    publish: outbox.add,
    isFull: () => outbox.bytes() > queueBytesMax,
    async stop() {
      stopping.abort()
      await Promise.race([running, delay(stopTimeoutMs, undefined, { ref: false })])
    },
  }
}

type Outbox = {
  add: Publisher['publish']
  /** Takes all messages so far, oldest first; the caller reports those that were sent and returns the others. */
  take: () => Message[]
  sent: (messages: readonly Message[]) => void
  requeue: (messages: readonly Message[]) => void
  /** Size of all messages that were not sent, also of taken ones. */
  bytes: () => number
  isEmpty: () => boolean
  /** Resolves when there are records, or `signal` aborts. */
  untilAdded: (signal: AbortSignal) => Promise<void>
}

function createOutbox(): Outbox {
  const open = new Map<string, Batch & { levels: number }>()
  let queue: Message[] = []
  let unsentBytes = 0
  let adding = Promise.withResolvers<void>()

  function close(key: string, batch: Batch): void {
    open.delete(key)
    const message = venueMessage(batch, { id: randomUUIDv7(), time: new Date() })
    queue.push(message)
    unsentBytes += message.value.length
  }

  return {
    add({ instrument, trades, l2Events, tradeGaps }) {
      if (trades.length + l2Events.length + tradeGaps.length === 0) return
      adding.resolve()
      const key = `${instrument.venue}:${instrument.symbol}`
      const batch = open.get(key) ?? { instrument, trades: [], l2Events: [], tradeGaps: [], levels: 0 }
      open.set(key, batch)
      batch.trades.push(...trades)
      batch.l2Events.push(...l2Events)
      batch.tradeGaps.push(...tradeGaps)
      for (const { bids, asks } of l2Events) batch.levels += bids.length + asks.length
      const records = batch.trades.length + batch.l2Events.length
      if (records >= BATCH_RECORDS_MAX || batch.levels >= BATCH_LEVELS_MAX) close(key, batch)
    },
    take() {
      for (const [key, batch] of open) close(key, batch)
      const taken = queue
      queue = []
      return taken
    },
    sent(messages) {
      for (const { value } of messages) unsentBytes -= value.length
    },
    requeue: (messages) => (queue = [...messages, ...queue]),
    bytes: () => unsentBytes,
    isEmpty: () => open.size + queue.length === 0,
    async untilAdded(signal) {
      if (open.size + queue.length > 0) return
      adding = Promise.withResolvers<void>()
      await untilAborted(signal, adding.promise)
    },
  }
}

type Sending = Pick<PublisherOptions, 'kafka' | 'topicPrefix' | 'logger'>

async function sendUntilStopped({ kafka, topicPrefix, logger }: Sending, outbox: Outbox, signal: AbortSignal) {
  let producer = createProducer(kafka, SEND_RETRIES)
  let isFailing = false
  while (!signal.aborted || !outbox.isEmpty()) {
    const requests = requestsOf(outbox.take())
    try {
      if (requests.length > 0) await producer.connect()
      for (let request = requests[0]; request !== undefined; request = requests[0]) {
        await producer.send({ topic: topicPrefix + TOPIC, acks: -1, ...request })
        outbox.sent(request.messages)
        requests.shift()
        isFailing = false
      }
      await outbox.untilAdded(signal)
      await delay(FLUSH_MS, undefined, { signal }).catch(() => undefined)
    } catch (err) {
      outbox.requeue(requests.flatMap(({ messages }) => messages))
      if (!isFailing) logger.warn({ err }, 'venue connector: records cannot be sent to Kafka; retrying every 500 ms')
      isFailing = true
      // After a failed send a producer may reuse its sequence number for other messages.
      await producer.disconnect().catch(() => undefined)
      producer = createProducer(kafka, SEND_RETRIES)
      await delay(RETRY_MS)
    }
  }
  await producer.disconnect().catch(() => undefined)
}

type Request = { compression: CompressionTypes; messages: Message[] }

/** In order; a large message is sent in a separate request, because compression applies to the request. */
function requestsOf(messages: readonly Message[]): Request[] {
  const requests: Request[] = []
  let open: { messages: Message[]; bytes: number } | undefined
  for (const message of messages) {
    const { length } = message.value
    if (length > PLAIN_BYTES_MAX) {
      requests.push({ compression: CompressionTypes.GZIP, messages: [message] })
      open = undefined
      continue
    }
    if (open === undefined || open.bytes + length > REQUEST_BYTES_MAX) {
      open = { messages: [], bytes: 0 }
      requests.push({ compression: CompressionTypes.None, messages: open.messages })
    }
    open.messages.push(message)
    open.bytes += length
  }
  return requests
}
