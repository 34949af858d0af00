import type { ConsumerTables } from '@tapeline/database/consumer-tables'
import type { Kysely } from 'kysely'
import type { Kafka } from 'kafkajs'
import type { DeadLetterBox } from './dead-letter-box.ts'
import type { Log } from '../log.ts'
import type { Parser } from '../parse-message.ts'
import type { Listening } from './topic-parsers.ts'

export type ConsumerOptions<Tables extends ConsumerTables> = Listening<Tables> & {
  kafka: Kafka
  db: Kysely<Tables>
  /** Consumer group, and owner of the offsets. */
  group: string
  log: Log
  now: () => Date
  /** Skips messages that cannot be parsed or applied: another consumer of these topics stores the dead letters. */
  isOnlooker?: boolean
  /** Limits of one response of Kafka; absent ones are those of all consumers. */
  fetch?: FetchLimits
  /** Number of partitions processed concurrently; order is kept within each. */
  partitionsAtOnce?: number
  /** Called after each transaction that applied events is committed. */
  onCommitted?: () => void
  progress?: ProgressTimes
}
/** Larger batches use less CPU per message and more memory. */
type FetchLimits = {
  /** Kafka responds once it has this many bytes, or `maxWaitTimeInMs` has passed. */
  minBytes: number
  maxWaitTimeInMs: number
  /** The most bytes of one partition, and so of a batch. */
  maxBytesPerPartition?: number
  /** The most bytes of a response, held until all of its batches are applied. */
  maxBytes?: number
}
export type ProgressTimes = {
  checkEveryMs?: number
  stuckAfterMs?: number
  /** Called when every message that Kafka had at time `at` is applied. */
  onCaughtUp?: (at: Date) => Promise<void>
}

/** State shared by the parts of a running consumer. */
export type Work<Tables extends ConsumerTables> = {
  options: ConsumerOptions<Tables>
  parsers: ReadonlyMap<string, Parser>
  letters: DeadLetterBox
  /** Partitions, as `topic/partition`, whose position was compared with PostgreSQL since the assignment. */
  inPlace: Set<string>
}
