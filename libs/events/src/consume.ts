import type { Event } from '@tapeline/contracts/event'
import { deadLetterTopic } from '@tapeline/contracts/topics'
import type { ConsumerTables } from '@tapeline/database/consumer-tables'
import type { Kysely, Transaction } from 'kysely'
import type { Consumer, EachBatchPayload, Kafka, KafkaMessage, Producer } from 'kafkajs'
import { insertDeadLetters, listNextOffsets, lockNextOffset, markApplied } from './consumer-queries.ts'
import { isTransient } from './is-transient.ts'
import { CONSUMER_OPTIONS, createProducer } from './kafka.ts'
import type { Log } from './log.ts'
import { createParser, type Parser } from './parse-message.ts'
import { type Progress, watchProgress } from './progress.ts'
import type { Subscription } from './subscription.ts'

export type ConsumerOptions<Tables extends ConsumerTables> = {
  kafka: Kafka
  db: Kysely<Tables>
  /** The listener's name; consumer group and owner of the offsets. */
  group: string
  topicPrefix: string
  subscriptions: readonly Subscription<Tables>[]
  log: Log
  now: () => Date
  /** Topics on which an unknown type is poison instead of somebody else's business. */
  strictTopics?: readonly string[]
}
export type RunningConsumer = { progress: Progress; stop: () => Promise<void> }

type Letter = { message: KafkaMessage; reason: string }
type Work<Tables extends ConsumerTables> = {
  options: ConsumerOptions<Tables>
  parsers: Map<string, Parser>
  producer: Producer
}

const RETRY_MS = 500

/**
 * Reads topics in order and applies each event in one PostgreSQL transaction with the offset, so that a kill at any
 * instruction repeats nothing. What cannot be read or applied goes to the dead-letter table and topic with its reason.
 */
export async function startConsumer<Tables extends ConsumerTables>(
  options: ConsumerOptions<Tables>,
): Promise<RunningConsumer> {
  const topics = [...new Set(options.subscriptions.map(({ definition }) => definition.topic))]
  const parsers = new Map(topics.map((topic) => [options.topicPrefix + topic, parserOf(options, topic)]))
  const consumer = options.kafka.consumer({ groupId: options.topicPrefix + options.group, ...CONSUMER_OPTIONS })
  const producer = createProducer(options.kafka)
  await Promise.all([consumer.connect(), producer.connect()])
  await consumer.subscribe({ topics: [...parsers.keys()], fromBeginning: true })
  const progress = watchProgress({
    kafka: options.kafka,
    consumer,
    nextOffsets: () => listNextOffsets(consumerDb(options.db)),
    now: options.now,
  })
  const work = { options, parsers, producer }
  await consumer.run({
    autoCommit: false,
    eachBatchAutoResolve: false,
    eachBatch: (payload) => applyBatch(work, consumer, payload),
  })
  return {
    progress,
    async stop() {
      await progress.stop()
      await consumer.disconnect()
      await producer.disconnect()
    },
  }
}

function parserOf<Tables extends ConsumerTables>(options: ConsumerOptions<Tables>, topic: string): Parser {
  const definitions = options.subscriptions.map(({ definition }) => definition).filter((one) => one.topic === topic)
  return createParser(definitions, options.strictTopics?.includes(topic) ?? false)
}

async function applyBatch<Tables extends ConsumerTables>(
  work: Work<Tables>,
  consumer: Consumer,
  { batch, heartbeat, isRunning, isStale }: EachBatchPayload,
): Promise<void> {
  const { topic, partition, messages } = batch
  const last = messages.at(-1)
  if (last === undefined) return
  try {
    await applyMessages(work, topic, partition, messages)
  } catch (error) {
    if (isTransient(error)) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      throw error
    }
    work.options.log.warn({ err: error, topic, partition }, 'a batch failed; applying its messages one by one')
    for (const message of messages) {
      if (!isRunning() || isStale()) return
      await applyOne(work, topic, partition, message)
      await heartbeat()
    }
  }
  await consumer.commitOffsets([{ topic, partition, offset: String(BigInt(last.offset) + 1n) }])
}

/** One message in a transaction of its own; a failure that will not pass by itself makes it a dead letter. */
async function applyOne<Tables extends ConsumerTables>(
  work: Work<Tables>,
  topic: string,
  partition: number,
  message: KafkaMessage,
): Promise<void> {
  try {
    await applyMessages(work, topic, partition, [message])
  } catch (error) {
    if (isTransient(error)) throw error
    const reason = error instanceof Error ? error.message : String(error)
    work.options.log.error({ err: error, topic, partition, offset: message.offset }, 'a message became a dead letter')
    await bury(work, topic, partition, [{ message, reason }])
  }
}

async function applyMessages<Tables extends ConsumerTables>(
  work: Work<Tables>,
  topic: string,
  partition: number,
  messages: KafkaMessage[],
): Promise<void> {
  const { options, parsers } = work
  const parser = parsers.get(topic)
  const events: Event<unknown>[] = []
  const letters: Letter[] = []
  await options.db.transaction().execute(async (trx) => {
    const next = await lockNextOffset(consumerTrx(trx), topic, partition)
    const fresh = messages.filter((message) => BigInt(message.offset) >= next)
    for (const message of fresh) {
      const parsed = parser?.(message.value) ?? { ignored: true }
      if ('event' in parsed) events.push(parsed.event)
      else if ('poison' in parsed) letters.push({ message, reason: parsed.poison })
    }
    await applyEvents(options.subscriptions, trx, events)
    await saveLetters(work, consumerTrx(trx), topic, partition, letters)
    const last = fresh.at(-1)
    if (last !== undefined) await markApplied(consumerTrx(trx), topic, partition, BigInt(last.offset) + 1n)
  })
}

async function applyEvents<Tables extends ConsumerTables>(
  subscriptions: readonly Subscription<Tables>[],
  trx: Transaction<Tables>,
  events: Event<unknown>[],
): Promise<void> {
  let from = 0
  while (from < events.length) {
    const type = events[from]?.type
    let to = from + 1
    while (to < events.length && events[to]?.type === type) to += 1
    const run = events.slice(from, to)
    for (const { definition, apply } of subscriptions) if (definition.type === type) await apply(trx, run)
    from = to
  }
}

async function bury<Tables extends ConsumerTables>(
  work: Work<Tables>,
  topic: string,
  partition: number,
  letters: Letter[],
): Promise<void> {
  await work.options.db.transaction().execute(async (trx) => {
    await lockNextOffset(consumerTrx(trx), topic, partition)
    await saveLetters(work, consumerTrx(trx), topic, partition, letters)
    const last = letters.at(-1)
    if (last !== undefined) await markApplied(consumerTrx(trx), topic, partition, BigInt(last.message.offset) + 1n)
  })
}

async function saveLetters<Tables extends ConsumerTables>(
  { options, producer }: Work<Tables>,
  trx: Transaction<ConsumerTables>,
  topic: string,
  partition: number,
  letters: Letter[],
): Promise<void> {
  if (letters.length === 0) return
  await producer.send({
    topic: deadLetterTopic(topic),
    messages: letters.map(({ message, reason }) => ({
      key: message.key,
      value: message.value,
      headers: { reason, offset: message.offset, partition: String(partition) },
    })),
  })
  await insertDeadLetters(
    trx,
    letters.map(({ message, reason }) => ({
      topic,
      partition,
      message_offset: message.offset,
      reason,
      payload: (message.value ?? Buffer.alloc(0)).toString('base64'),
      created_at: options.now(),
    })),
  )
}

/** A service's transaction, seen as one over the tables every listener has. */
function consumerTrx<Tables extends ConsumerTables>(trx: Transaction<Tables>): Transaction<ConsumerTables> {
  return trx as unknown as Transaction<ConsumerTables>
}

function consumerDb<Tables extends ConsumerTables>(db: Kysely<Tables>): Kysely<ConsumerTables> {
  return db as unknown as Kysely<ConsumerTables>
}
