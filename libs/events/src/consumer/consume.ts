import type { ConsumerTables } from '@tapeline/database/consumer-tables'
import type { Kysely } from 'kysely'
import type { Consumer } from 'kafkajs'
import { applyBatch } from './apply-batch.ts'
import type { ConsumerOptions, Work } from './consumer-options.ts'
import { listNextOffsets } from './consumer-queries.ts'
import { createDeadLetterBox } from './dead-letter-box.ts'
import { goBackToNextOffsets } from './go-to-next-offset.ts'
import { CONSUMER_OPTIONS } from '../kafka.ts'
import { registerLag } from './lag.ts'
import { pause, untilAborted } from './pause.ts'
import { type Progress, watchProgress } from './progress.ts'
import { topicParsers } from './topic-parsers.ts'

export type RunningConsumer = { progress: Progress; stop: () => Promise<void> }

const RETRY_MS = 1_000
const COMMIT_EVERY_MS = 1_000

/**
 * Reads topics in order and applies each event in one PostgreSQL transaction together with the offset, so a crash at
 * any instruction repeats nothing. Returns immediately and retries while Kafka is unavailable.
 * @returns the running consumer; `stop` ends it after the current batch
 */
export function startConsumer<Tables extends ConsumerTables>(options: ConsumerOptions<Tables>): RunningConsumer {
  const parsers = topicParsers(options)
  const letters = createDeadLetterBox(options.kafka)
  const progress = watchProgress({
    kafka: options.kafka,
    group: options.group,
    topics: [...parsers.keys()],
    log: options.log,
    nextOffsets: () => listNextOffsets(options.db as unknown as Kysely<ConsumerTables>),
    now: options.now,
    ...options.progress,
  })
  const unregisterLag = registerLag(options.group, progress.lag)
  const stopping = new AbortController()
  const running = consumeUntil(stopping.signal, { options, parsers, letters, inPlace: new Set() }, progress)
  return {
    progress,
    async stop() {
      stopping.abort()
      unregisterLag()
      await running
      await Promise.all([progress.stop(), letters.stop()])
    },
  }
}

/**
 * kafkajs restarts itself after most failures; after the others, and while nothing responds, a new consumer is
 * created.
 */
async function consumeUntil<Tables extends ConsumerTables>(
  signal: AbortSignal,
  work: Work<Tables>,
  progress: Progress,
): Promise<void> {
  const { kafka, topicPrefix, group, log, fetch } = work.options
  while (!signal.aborted) {
    const consumer = kafka.consumer({ groupId: topicPrefix + group, ...CONSUMER_OPTIONS, ...fetch })
    const crash = Promise.withResolvers<never>()
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      if (!payload.restart) crash.reject(payload.error)
    })
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      work.inPlace.clear()
      progress.joined(payload.memberAssignment)
      // kafkajs logs a failure; then the next batch of each partition is compared, or the process ends and joins again.
      return goBackToNextOffsets(work, consumer, payload.memberAssignment)
    })
    try {
      await untilAborted(signal, Promise.race([run(consumer, work).then(() => crash.promise), crash.promise]))
    } catch (error) {
      log.warn({ err: error, group }, 'consumer: failed; restarting')
    }
    await consumer.disconnect().catch(() => {})
    await pause(RETRY_MS, signal)
  }
}

async function run<Tables extends ConsumerTables>(consumer: Consumer, work: Work<Tables>): Promise<void> {
  await consumer.connect()
  await consumer.subscribe({ topics: [...work.parsers.keys()], fromBeginning: true })
  await consumer.run({
    // The authoritative offset is in PostgreSQL; the one in Kafka is for tools that display lag.
    autoCommit: true,
    autoCommitInterval: COMMIT_EVERY_MS,
    eachBatchAutoResolve: false,
    partitionsConsumedConcurrently: work.options.partitionsAtOnce ?? 1,
    eachBatch: (payload) => applyBatch(work, consumer, payload),
  })
}
