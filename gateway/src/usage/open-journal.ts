import { usageRequestServed } from '@tapeline/contracts/usage/events'
import type { EventRoutes } from '@tapeline/events/route-events'
import type { Logger } from '@tapeline/service/logger'
import type { Process } from '@tapeline/service/process/run-process'
import type { Config } from '../config.ts'
import type { claimJournalSlots } from './journal-slot.ts'
import { type ChangeListener, createKafkaWorker, type KafkaWorker } from './create-kafka-worker.ts'
import { UsageJournal } from './usage-journal.ts'

export type JournalOptions = { config: Config; logger: Logger; running: Pick<Process, 'onStop'> }
type Slots = ReturnType<typeof claimJournalSlots>

/**
 * Opens the journal, and the worker that ships it and receives changes; what is left in the journal is shipped by the next
 * start. A gateway also starts without Kafka: the versions of its records are compared in Redis anyway.
 */
export function openJournal(
  { config, logger, running }: JournalOptions,
  { own, adopted }: Slots,
  { topics, ...changes }: Pick<EventRoutes, 'topics'> & ChangeListener,
): { journal: UsageJournal; worker: KafkaWorker } {
  const journal = new UsageJournal({
    dir: own,
    bytesMax: config.JOURNAL_BYTES_MAX,
    segmentBytes: config.JOURNAL_SEGMENT_BYTES,
    logger,
  })
  const { KAFKA_BROKERS: brokers, KAFKA_TOPIC_PREFIX: prefix } = config
  const { freed } = journal
  const topic = prefix + usageRequestServed.topic
  const subscription = { topics, group: `${prefix}gateway` }
  const worker = createKafkaWorker(
    { dir: own, adopted, topic, freed, brokers, clientId: 'gateway', subscription },
    logger,
    changes,
  )
  running.onStop('kafka', () => worker.stop())
  running.onStop('journal', () => journal.close())
  return { journal, worker }
}
