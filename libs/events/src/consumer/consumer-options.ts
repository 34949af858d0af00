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
  /** The listener's name; consumer group and owner of the offsets. */
  group: string
  log: Log
  now: () => Date
  /** What cannot be understood or applied is passed over: another listener of these topics keeps the dead letters. */
  isOnlooker?: boolean
  /** Kafka answers when it has this many bytes or the time is over: what is written in larger batches costs less. */
  fetch?: { minBytes: number; maxWaitTimeInMs: number }
  /** How many partitions are applied at the same time; within one, order is kept. */
  partitionsAtOnce?: number
  progress?: ProgressTimes
}
export type ProgressTimes = {
  checkEveryMs?: number
  stuckAfterMs?: number
  /** Told that all that Kafka held at that moment has been applied. */
  onCaughtUp?: (at: Date) => Promise<void>
}

/** What the parts of a running consumer share. */
export type Work<Tables extends ConsumerTables> = {
  options: ConsumerOptions<Tables>
  parsers: ReadonlyMap<string, Parser>
  letters: DeadLetterBox
  /** Partitions, as `topic/partition`, whose position was compared with PostgreSQL since they were assigned. */
  inPlace: Set<string>
}
